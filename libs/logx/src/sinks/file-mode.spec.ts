import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deadlineAfter } from '@apix/contracts';
import type { LogEvent } from '../event/log-event.js';
import { fileSink, type FileSinkOptions } from './file-sink.js';
import type { Sink } from './sink.js';

const MEBIBYTE = 1024 * 1024;
const BACKUP = 'app-2026-11-21T03-04-05.678.json';
const event = {} as LogEvent;

/** What the option says, the process's umask, what files get and what their directory gets. */
type Case = [mode: number | undefined, umask: number, files: string, directory: string];

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0');

describe('the permissions of a file sink', () => {
  let root: string;
  let directory: string;
  let umask: number;
  let sink: Sink | undefined;

  beforeEach(() => {
    umask = process.umask();
    root = fs.mkdtempSync(join(os.tmpdir(), 'logx-mode-'));
    directory = join(root, 'logs', 'app');
    sink = undefined;
  });
  afterEach(async () => {
    await close();
    process.umask(umask);
    fs.rmSync(root, { recursive: true, force: true });
  });

  const open = (options: FileSinkOptions): void => {
    sink = fileSink(join(directory, 'app.json'), options).open({
      onError: (error) => {
        throw error;
      },
    });
  };
  /** Waits for compressions too. */
  const close = async (): Promise<void> => {
    const deadline = deadlineAfter(10_000);
    await sink?.close?.(deadline);
    deadline.dispose();
  };
  const modeOf = (path: string): string => octal(fs.statSync(path).mode);
  const modes = (): string[][] =>
    fs
      .readdirSync(directory)
      .toSorted((a, b) => a.length - b.length)
      .map((file) => [file.replace(/-[\dT.-]+(?=\.json)/, ''), modeOf(join(directory, file))]);

  it.each<Case>([
    [undefined, 0o022, '0640', '0750'],
    [undefined, 0o077, '0600', '0700'],
    [0o600, 0o022, '0600', '0700'],
    [0o600, 0, '0600', '0700'],
    [0o644, 0o022, '0644', '0755'],
    [0o660, 0, '0660', '0770'],
    [0o666, 0o027, '0640', '0750'],
    [0o400, 0o022, '0400', '0700'],
  ])(
    'mode %p with a umask of %i gives logs and their compressed backups %s, new directories %s',
    async (mode, mask, files, directories) => {
      process.umask(mask);
      open({ mode, rotation: { maxSizeMB: 10 / MEBIBYTE, compress: true } });
      for (const line of ['the first\n', 'the second\n', 'the third\n']) sink!.write!(line, event);
      await close();
      expect(modes()).toEqual([
        ['app.json', files],
        ['app.json.gz', files],
        ['app.json.gz', files],
      ]);
      expect([modeOf(directory), modeOf(join(root, 'logs'))]).toEqual([directories, directories]);
    },
  );

  it.each([
    ['a private one stays private', 0o600, 0o644, '0600'],
    ['a public one is no wider than the option', 0o644, 0o600, '0600'],
    ['one that others may read stays so where the option lets it', 0o644, 0o644, '0644'],
  ])('backups of an earlier run are compressed: %s', async (_what, left, mode, expected) => {
    process.umask(0);
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(join(directory, BACKUP), 'old\n', { mode: left });
    open({ mode, rotation: { compress: true } });
    await close();
    expect(modeOf(join(directory, `${BACKUP}.gz`))).toBe(expected);
  });

  it('a private backup is never readable for others while it is compressed', async () => {
    process.umask(0);
    fs.mkdirSync(directory, { recursive: true });
    fs.writeFileSync(join(directory, BACKUP), randomBytes(8 * MEBIBYTE), { mode: 0o600 });
    const unfinished = join(directory, `${BACKUP}.gz.tmp`);
    // What an interrupted run left, which others may read, is not written on.
    fs.writeFileSync(unfinished, 'half', { mode: 0o666 });
    open({ mode: 0o600, rotation: { compress: true } });
    const closed = close().then(() => true);
    const turn = (): Promise<boolean> =>
      new Promise((resolve) => setImmediate(() => resolve(false)));
    const seen = new Set<string>();
    do {
      const stat = fs.statSync(unfinished, { throwIfNoEntry: false });
      if (stat !== undefined && stat.size > 4) seen.add(octal(stat.mode));
    } while (!(await Promise.race([closed, turn()])));
    expect([...seen]).toEqual(['0600']);
    expect(modeOf(join(directory, `${BACKUP}.gz`))).toBe('0600');
  });
});
