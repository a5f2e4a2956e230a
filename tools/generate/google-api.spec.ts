import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromBinary, toJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { GOOGLE_API_PATHS } from './google-api.js';

const root = join(import.meta.dirname, '../..');
const OURS = join(root, 'libs/proto/proto');
const THEIRS = join(root, 'node_modules/google-proto-files');

/** The declarations in some files of a folder, by path. */
function declarations(folder: string): Record<string, unknown> {
  const alone = mkdtempSync(join(tmpdir(), 'apix-google-api-'));
  for (const path of GOOGLE_API_PATHS) cpSync(join(folder, path), join(alone, path));
  const image = execFileSync(
    join(root, 'node_modules/.bin/buf'),
    ['build', '--as-file-descriptor-set', '--exclude-source-info', '-o', '-'],
    { cwd: alone },
  );
  rmSync(alone, { recursive: true });
  const { file } = fromBinary(FileDescriptorSetSchema, image);
  const chosen = file.filter(({ name }) => GOOGLE_API_PATHS.includes(name));
  return Object.fromEntries(
    chosen.map((proto) => [proto.name, toJson(FileDescriptorProtoSchema, proto)]),
  );
}

const textOf = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');
const commentsIn = (text: string): string[] =>
  [...text.matchAll(/\/\/ ?(.*)/g)].map(([, line]) => line!.trim());

describe('the files of google/api that come with @apix/proto', () => {
  it('declare what those of googleapis declare, response_body included', () => {
    const ours = declarations(OURS);
    expect(Object.keys(ours).toSorted()).toEqual(GOOGLE_API_PATHS);
    expect(ours).toEqual(declarations(THEIRS));
    expect(textOf(OURS, 'google/api/http.proto')).toContain('string response_body = 12;');
  });

  it.each(GOOGLE_API_PATHS)(
    'has no comment of theirs in %s, and one for each declaration',
    (path) => {
      const ours = textOf(OURS, path);
      const theirs = new Set(commentsIn(textOf(THEIRS, path)));
      const taken = commentsIn(ours).filter((line) => line !== '' && theirs.has(line));
      expect(taken).toEqual([]);
      const bare = ours.split('\n').flatMap((line, i, lines) => {
        const declares = /^\s*(?:message|enum|oneof)\b|= \d+[^"]*;$/.test(line);
        return declares && !lines[i - 1]!.trim().startsWith('//') ? [line] : [];
      });
      expect(bare).toEqual([]);
    },
  );
});
