import { OptionsError, thrownText } from '@apix/contracts';
import {
  checkedOptions,
  choice,
  type OptionTable,
  withDefault,
  isProcessParent,
} from '@apix/contracts/internal';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AlreadyRunningError, OsError } from '../errors.js';
import type { LockFile, LockOptions } from './held-file.js';
import { lockPosixFile } from './lock-posix.js';
import { lockWindowsFile } from './lock-windows.js';

/** The options of {@link acquireInstanceLock}. */
export type InstanceLockOptions = LockOptions;

/** The allowed values of the options of a lock. */
export const LOCK_OPTIONS = {
  sharedFolder: withDefault(choice(['refuse', 'allow']), 'refuse'),
} satisfies OptionTable<InstanceLockOptions>;

/** The variable by which the parent of several processes says which lock it holds. */
const HELD_VARIABLE = 'APIX_HOSTX_LOCK';

/** Held until it is released, or until the process ends in whatever way. */
export interface InstanceLock {
  readonly path: string;
  /** Gives the lock back; a second call does nothing. The file stays, empty. */
  release(): void;
  [Symbol.dispose](): void;
}

const lockFile: LockFile = process.platform === 'win32' ? lockWindowsFile : lockPosixFile;

/**
 * Makes sure that this is the only instance, by a lock of the operating system on a file. It
 * does not wait. The folder of the file is made if need be, with mode 0700; child processes do not
 * inherit the lock; a file system must be local, or know flock over the network.
 *
 * The file gets mode 0600, so that no other user but root can hold it; instances of several users
 * need a path each.
 *
 * @throws AlreadyRunningError when another instance holds it.
 * @throws OsError for a file or folder that other users could hold or replace.
 * @throws OsError, or Node's own error of the file, when it cannot be locked at all.
 * @throws OptionsError for wrong options.
 */
export function acquireInstanceLock(path: string, options: InstanceLockOptions = {}): InstanceLock {
  if (!process.getBuiltinModule('node:worker_threads').isMainThread) {
    throw new OsError(
      'a lock must be acquired in the main thread, because a worker may end before the process',
    );
  }
  const { sharedFolder } = checkedOptions(
    LOCK_OPTIONS,
    options,
    (found) => new OptionsError('hostx-os: lock', found),
  );
  const full = resolve(path);
  const file = lockFile(full, { sharedFolder });
  if (file === null) throw new AlreadyRunningError(full, readPid(full));
  let isHeld = true;
  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    try {
      file.write('');
    } finally {
      file.release();
    }
  };
  try {
    file.write(`${process.pid}\n`);
  } catch (error) {
    // A full disk does not matter: the lock counts, not the content of the file.
    process.emitWarning(`hostx-os: cannot write the process id into ${full}`, {
      detail: thrownText(error),
    });
  }
  // Its processes can see that it is held for them.
  if (isProcessParent()) process.env[HELD_VARIABLE] = full;
  return { path: full, release, [Symbol.dispose]: release };
}

/**
 * Of an app in several processes: makes sure that the parent holds the lock for all of them.
 *
 * @throws OsError if it does not.
 */
export function requireLockOfParent(path: string): void {
  const full = resolve(path);
  if (process.env[HELD_VARIABLE] === full) return;
  throw new OsError(
    `of an app in several processes, the parent has to hold the lock ${full}; call acquireInstanceLock in processes.parent`,
  );
}

function readPid(path: string): number | null {
  try {
    const text = readFileSync(path, 'utf8');
    return /^[1-9]\d{0,9}\n?$/.test(text) ? Number.parseInt(text, 10) : null;
  } catch {
    return null;
  }
}
