import {
  type Stats,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { constants as osConstants } from 'node:os';
import { posix } from 'node:path';
import { OsError } from '../errors.js';
import { loadKoffi } from '../load-koffi.js';
import type { HeldFile, LockOptions } from './held-file.js';
import { trustedFolder } from './trusted-folder.js';

const LOCK_EX = 2;
const LOCK_NB = 4;
const { EINTR, EWOULDBLOCK } = osConstants.errno;
/** Somebody may remove the file between open and lock; more than this is an attack or a bug. */
const TRIES = 100;
/** Anyone who can open the file, even if only for reading, can lock it. */
const PRIVATE = 0o600;

type Flock = (fd: number, operation: number) => number;
let flock: Flock | undefined;
let errno: () => number = () => 0;

/** For whom a file is locked. */
export interface PosixLockOptions extends LockOptions {
  /** Whose the file must be. Default: the user that the process acts as. */
  readonly uid?: number | undefined;
}

/**
 * Locks a file with flock(2), which the kernel gives back when the process ends, however it
 * ends. The file is never removed: a new file of the same name would be another lock.
 *
 * The file is the user's own, with mode 0600 and no other name, in a folder in which no other user
 * can replace it. Why: docs/decisions/0190
 */
export function lockPosixFile(path: string, options: PosixLockOptions = {}): HeldFile | null {
  const { sharedFolder = 'refuse', uid = process.geteuid?.() ?? 0 } = options;
  const file = posix.join(folderOf(path, sharedFolder, uid), posix.basename(path));
  for (let tries = 0; tries < TRIES; tries++) {
    // A file that cannot be opened would get only the message of the system.
    checkFile(path, lstatSync(file, { throwIfNoEntry: false }), uid);
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
    const fd = openSync(file, flags, PRIVATE);
    try {
      const stats = fstatSync(fd);
      checkFile(path, stats, uid);
      // An earlier version made it with 0644; the umask may have taken bits away.
      if ((stats.mode & 0o7777) !== PRIVATE) fchmodSync(fd, PRIVATE);
      if (!lock(fd, path)) {
        closeSync(fd);
        return null;
      }
      if (isStill(fd, file)) return heldFile(fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    closeSync(fd);
  }
  throw new OsError(
    `cannot lock ${path}: it is removed each time; find out which process removes it`,
  );
}

function folderOf(path: string, sharedFolder: 'allow' | 'refuse', uid: number): string {
  const folder = posix.dirname(path);
  if (sharedFolder === 'refuse') return trustedFolder(folder, uid);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** @throws OsError for a file that another user could hold, or that refers to another file. */
function checkFile(path: string, stats: Stats | undefined, uid: number): void {
  const fault = stats && fileFault(stats, uid);
  if (fault) throw new OsError(`cannot lock ${path}: ${fault}, or choose another path`);
}

function fileFault(stats: Stats, uid: number): string | null {
  if (stats.isSymbolicLink()) return 'it is a symbolic link (ELOOP); remove it';
  if (!stats.isFile()) return 'it is not a regular file; remove it';
  if (stats.uid !== uid) return `another user (uid ${stats.uid}) owns it; have it removed`;
  if (stats.nlink > 1)
    return `it has ${stats.nlink} hard links, each a name of the lock; remove it`;
  return null;
}

function lock(fd: number, path: string): boolean {
  if (flock === undefined) {
    const koffi = loadKoffi();
    flock = koffi.load(null).func('int flock(int, int)') as unknown as Flock;
    errno = () => koffi.errno();
  }
  while (flock(fd, LOCK_EX | LOCK_NB) !== 0) {
    const code = errno();
    if (code === EWOULDBLOCK) return false;
    if (code !== EINTR) throw new OsError(`cannot lock ${path}: errno ${code}`, code);
  }
  return true;
}

/** Whether the locked file is the one that others find under the path. */
function isStill(fd: number, path: string): boolean {
  const mine = fstatSync(fd);
  const theirs = statSync(path, { throwIfNoEntry: false });
  return theirs !== undefined && theirs.ino === mine.ino && theirs.dev === mine.dev;
}

function heldFile(fd: number): HeldFile {
  return {
    write(text) {
      ftruncateSync(fd);
      writeSync(fd, text, 0);
    },
    release: () => closeSync(fd),
  };
}
