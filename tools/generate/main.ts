/**
 * Generates everything that is generated and committed; with `--check` writes nothing and fails
 * when something committed is missing, stale or left over. Works offline.
 */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { file_buf_validate_validate } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js';
import { buf, typescriptTemplate } from './buf.js';
import { dashboardJson } from './dashboard/dashboard.js';
import { embedPage } from './embed-page.js';
import { assembleProtoTree } from './proto-tree.js';
import { systemdUnit } from '../../libs/hostx-os/src/sdnotify/systemd-unit.js';
import { GOOGLE_API_COMMENTS } from './google-api.js';
import { printProto } from './print-proto.js';
import {
  type ManifestJson,
  publishedLock,
  publishedManifest,
  textOf,
} from '../publishing/published-manifest.js';
import { readPublishing } from '../publishing/publishing.js';
import { type Target, targetsFor } from './targets.js';

const root = process.cwd();
const check = process.argv.includes('--check');
const work = mkdtempSync(join(tmpdir(), 'apix-generate-'));
try {
  const tree = join(work, 'tree');
  assembleProtoTree(root, tree);
  buf(work, 'lint', tree, '--config', join(root, 'buf.yaml'));
  const image = join(work, 'all.binpb');
  buf(
    work,
    'build',
    tree,
    '--config',
    join(root, 'buf.yaml'),
    '--as-file-descriptor-set',
    '-o',
    image,
  );
  restoreTrueDescriptors(image);

  const targets = targetsFor(readdirSync(join(root, 'libs')));
  const stale = targets.flatMap((target) => settle(target, produce(target, image)));
  for (const path of stale) console.log(`${check ? 'stale' : 'wrote'}: ${path}`);
  if (check && stale.length > 0) {
    console.error('generated files are not up to date: run `npm run generate` and commit');
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** The tree holds an abridged buf/validate; what we publish carries the real one. */
function restoreTrueDescriptors(image: string): void {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(image));
  const { proto } = file_buf_validate_validate;
  const file = set.file.map((it) => (it.name === proto.name ? proto : it));
  writeFileSync(
    image,
    toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file })),
  );
}

/** The files a target consists of, by their path inside its `out`; '' for `out` itself. */
function produce(target: Target, image: string): Map<string, Buffer> {
  switch (target.kind) {
    case 'copy':
      return new Map([['', readFileSync(join(root, target.from))]]);
    case 'page':
      return new Map([['', embedPage(root, target.from)]]);
    case 'dashboard':
      return new Map([['', dashboardJson()]]);
    case 'unit':
      return new Map([['', Buffer.from(systemdUnit(target.config))]]);
    case 'manifest': {
      const manifest = readJson(target.out);
      const version = readJson('package.json')['version'] as string;
      const written = publishedManifest(manifest, target.folder, version, readPublishing(root));
      return new Map([['', Buffer.from(textOf(written))]]);
    }
    case 'lock': {
      const version = readJson('package.json')['version'] as string;
      return new Map([['', Buffer.from(textOf(publishedLock(readJson(target.out), version)))]]);
    }
    case 'descriptors': {
      const file = join(work, 'subset.binpb');
      const paths = target.paths.flatMap((path) => ['--path', path]);
      buf(work, 'build', image, ...paths, '--as-file-descriptor-set', '-o', file);
      return new Map([['', readFileSync(file)]]);
    }
    case 'proto': {
      const { file } = fromBinary(FileDescriptorSetSchema, readFileSync(image));
      const chosen = file.filter(({ name }) => target.paths.includes(name));
      const texts = chosen.map((proto) => printProto(proto, GOOGLE_API_COMMENTS));
      return new Map(chosen.map(({ name }, i) => [name, Buffer.from(texts[i]!)]));
    }
    case 'typescript': {
      const out = join(work, target.out);
      const paths = target.paths.flatMap((path) => ['--path', path]);
      if (target.withImports === true) paths.push('--include-imports');
      buf(work, 'generate', image, '--template', typescriptTemplate(out), ...paths);
      return new Map(filesIn(out).map((path) => [path, readFileSync(join(out, path))]));
    }
  }
}

/** Brings the working tree in line with `files`, or only finds out where it is not. */
function settle(target: Target, files: ReadonlyMap<string, Buffer>): string[] {
  const changed: string[] = [];
  for (const [path, content] of files) {
    const file = join(target.out, path);
    if (readOrNull(file)?.equals(content) === true) continue;
    changed.push(file);
    if (check) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  if (target.kind !== 'typescript') return changed;
  for (const path of filesIn(target.out).filter((it) => !files.has(it))) {
    changed.push(join(target.out, path));
    if (!check) rmSync(join(target.out, path));
  }
  return changed;
}

function readJson(file: string): ManifestJson {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as ManifestJson;
}

function readOrNull(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  } catch {
    return [];
  }
}
