import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs';
import { constants as osConstants } from 'node:os';
import { OsError } from '../errors.js';
import { loadKoffi } from '../load-koffi.js';
import type { HeldFile } from './held-file.js';

const LOCK_EX = 2;
const LOCK_NB = 4;
const { EINTR, EWOULDBLOCK } = osConstants.errno;
/** Somebody may remove the file between open and lock; more than this is an attack or a bug. */
const TRIES = 100;

type Flock = (fd: number, operation: number) => number;
let flock: Flock | undefined;
let errno: () => number = () => 0;

/**
 * Locks a file with flock(2), which the kernel gives back when the process ends, however it
 * ends. The file is never removed: a new file of the same name would be another lock.
 */
export function lockPosixFile(path: string): HeldFile | null {
  for (let tries = 0; tries < TRIES; tries++) {
    // Never through a symbolic link, which a stranger may have put into a shared folder.
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
    const fd = openSync(path, flags, 0o644);
    try {
      if (!lock(fd, path)) {
        closeSync(fd);
        return null;
      }
      if (isStill(fd, path)) return heldFile(fd);
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
