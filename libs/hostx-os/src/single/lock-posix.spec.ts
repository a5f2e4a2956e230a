import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import {
  type Stats,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AlreadyRunningError } from '../errors.js';
import { acquireInstanceLock } from './acquire-instance-lock.js';
import { lockPosixFile } from './lock-posix.js';
import { accessFault, ownerFault } from './trusted-folder.js';

let folder: string;
let path: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')));
  path = join(folder, 'shop.lock');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const modeOf = (file: string): string => (statSync(file).mode & 0o7777).toString(8);

/** A user that owns nothing here, whoever runs the tests. */
const NOBODY = 4_242_424;

describe('the file of a lock', () => {
  it('is for its owner alone, whatever the umask is', () => {
    const before = process.umask(0);
    try {
      using _lock = acquireInstanceLock(path);
      expect(modeOf(path)).toBe('600');
    } finally {
      process.umask(before);
    }
  });

  it('of an earlier version, which everybody can read, is locked and made private', () => {
    writeFileSync(path, '4711\n', { mode: 0o644 });
    chmodSync(path, 0o644);
    using _lock = acquireInstanceLock(path);
    expect(modeOf(path)).toBe('600');
    expect(readFileSync(path, 'utf8')).toBe(`${process.pid}\n`);
    expect(() => acquireInstanceLock(path)).toThrow(AlreadyRunningError);
  });

  it('is refused as a hard link to another file, which stays as it is', () => {
    const target = join(folder, 'precious');
    writeFileSync(target, 'precious', { mode: 0o640 });
    linkSync(target, path);
    expect(() => acquireInstanceLock(path)).toThrow(
      `hostx-os: cannot lock ${path}: it has 2 hard links, each a name of the lock; remove it, or ` +
        'choose another path',
    );
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(modeOf(target)).toBe('640');
  });

  it('is refused when it belongs to another user, and stays as it is', () => {
    writeFileSync(path, 'prepared', { mode: 0o666 });
    chmodSync(path, 0o666);
    const options = { uid: NOBODY, sharedFolder: 'allow' } as const;
    expect(() => lockPosixFile(path, options)).toThrow(
      `hostx-os: cannot lock ${path}: another user (uid ${process.geteuid!()}) owns it; have it ` +
        'removed, or choose another path',
    );
    expect(readFileSync(path, 'utf8')).toBe('prepared');
    expect(modeOf(path)).toBe('666');
  });

  it.each<[string, () => void]>([
    ['a folder', () => mkdirSync(path)],
    ['a pipe', () => void execFileSync('mkfifo', [path])],
  ])('is refused as %s', (_, make) => {
    make();
    expect(() => acquireInstanceLock(path)).toThrow(
      `hostx-os: cannot lock ${path}: it is not a regular file; remove it, or choose another path`,
    );
  });

  it('is refused as a symbolic link, also one to a file that does not exist', () => {
    const target = join(folder, 'nothing');
    symlinkSync(target, path);
    expect(() => acquireInstanceLock(path)).toThrow(
      `hostx-os: cannot lock ${path}: it is a symbolic link (ELOOP); remove it, or choose ` +
        'another path',
    );
    expect(existsSync(target)).toBe(false);
  });
});

describe('the folder of a lock', () => {
  it('is made for its owner alone, with those above it', () => {
    const before = process.umask(0);
    try {
      using _lock = acquireInstanceLock(join(folder, 'a', 'b', 'shop.lock'));
      expect([modeOf(join(folder, 'a')), modeOf(join(folder, 'a', 'b'))]).toEqual(['700', '700']);
    } finally {
      process.umask(before);
    }
  });

  it.each<[string, number]>([
    ['everybody', 0o777],
    ['everybody but its group', 0o707],
  ])('is refused when %s can write to it', (_, mode) => {
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, mode);
    expect(() => acquireInstanceLock(join(open, 'shop.lock'))).toThrow(
      `hostx-os: ${open} is not a safe folder: other users can write to it and replace the files ` +
        'in it; run "chmod go-w" on it, choose another path, or set sharedFolder: ' +
        "'allow' if its users are trusted",
    );
    expect(existsSync(join(open, 'shop.lock'))).toBe(false);
  });

  it('is refused when it lies in one that others can write to, made or not', () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    mkdirSync(join(open, 'private'), { mode: 0o700 });
    chmodSync(open, 0o777);
    for (const name of ['private', 'new']) {
      const lock = join(open, name, 'shop.lock');
      expect(() => acquireInstanceLock(lock)).toThrow(
        `${open} is not a safe folder: other users can`,
      );
    }
    expect(existsSync(join(open, 'new'))).toBe(false);
  });

  it('is refused when a link on the way leads to one that others can write to', () => {
    const open = join(folder, 'open');
    mkdirSync(open);
    chmodSync(open, 0o777);
    symlinkSync('./open', join(folder, 'link'));
    expect(() => acquireInstanceLock(join(folder, 'link', 'shop.lock'))).toThrow(
      `${open} is not a safe folder: other users can`,
    );
  });

  it('may be reached by links of its owner, also by ".." in them', () => {
    mkdirSync(join(folder, 'real', 'deep'), { recursive: true });
    symlinkSync(join(folder, 'real'), join(folder, 'absolute'));
    symlinkSync('absolute/deep/..', join(folder, 'relative'));
    using _lock = acquireInstanceLock(join(folder, 'relative', 'shop.lock'));
    expect(existsSync(join(folder, 'real', 'shop.lock'))).toBe(true);
    expect(() => acquireInstanceLock(join(folder, 'real', 'shop.lock'))).toThrow(
      AlreadyRunningError,
    );
  });

  it('is refused when its links go round in a circle', () => {
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    expect(() => acquireInstanceLock(join(folder, 'a', 'shop.lock'))).toThrow('ELOOP');
  });

  it.each<[string, Pick<Stats, 'uid'>, string | null]>([
    ['of the user', { uid: 1000 }, null],
    ['of root', { uid: 0 }, null],
    ['of another user', { uid: 1001 }, 'another user (uid 1001) owns it'],
  ])('is judged by its owner: %s', (_, stats, fault) => {
    expect(ownerFault(stats, 1000)?.slice(0, fault?.length) ?? null).toBe(fault);
  });

  it.each<[string, number, number, boolean]>([
    ['nobody but the user', 0o700, 50, true],
    ['readers', 0o755, 50, true],
    ['a group that can write', 0o775, 50, false],
    ['a group that can write, in a sticky folder', 0o1775, 50, true],
    ["the user's private group", 0o775, 1000, true],
    ["root's group", 0o775, 0, true],
    ['everybody', 0o777, 1000, false],
    ['everybody, in a sticky folder', 0o1777, 50, true],
  ])('is judged by who may enter: %s', (_, mode, gid, isSafe) => {
    expect(accessFault({ mode, gid }, 1000) === null).toBe(isSafe);
  });

  it('is taken where others can write, with only their own files to remove (sticky)', () => {
    chmodSync(folder, 0o1777);
    using _lock = acquireInstanceLock(path);
    expect(modeOf(path)).toBe('600');
  });

  it('is taken as it is with sharedFolder "allow"; the file is checked all the same', () => {
    chmodSync(folder, 0o777);
    using lock = acquireInstanceLock(path, { sharedFolder: 'allow' });
    lock.release();
    linkSync(path, `${path}.2`);
    expect(() => acquireInstanceLock(path, { sharedFolder: 'allow' })).toThrow('2 hard links');
  });
});
