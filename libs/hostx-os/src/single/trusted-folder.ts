import { type Stats, lstatSync, mkdirSync, readlinkSync } from 'node:fs';
import { posix } from 'node:path';
import { OsError } from '../errors.js';

/** As many as Linux follows. */
const MAX_LINKS = 40;
const WRITABLE_BY_GROUP = 0o020;
const WRITABLE_BY_OTHERS = 0o002;
/** In a folder with this bit, users can remove and rename their own files only. */
const STICKY = 0o1000;

const REMEDY = "choose another path, or set sharedFolder: 'allow' if its users are trusted";

/**
 * The real path of a folder in which no other user can replace a file: every folder and link on
 * the way to it belongs to the user or root, and others cannot write to it, unless it is sticky
 * like `/tmp`. Missing folders are made with mode 0700. Access control lists are not read.
 *
 * @param uid whose the file will be.
 * @throws OsError that names the folder and the remedy.
 */
export function trustedFolder(folder: string, uid: number): string {
  const left = partsOf(folder);
  let reached = '/';
  let links = 0;
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    // The resolved part has no links: `..` is its parent folder.
    const next = posix.join(reached, name);
    const stats = lstatSync(next, { throwIfNoEntry: false }) ?? makeFolder(next);
    const isLink = stats.isSymbolicLink();
    const fault = ownerFault(stats, uid) ?? (isLink ? null : accessFault(stats, uid));
    if (fault !== null) throw new OsError(`${next} is not a safe folder: ${fault}${REMEDY}`);
    if (!isLink) {
      reached = next;
      continue;
    }
    links++;
    if (links > MAX_LINKS) throw new OsError(`${folder} has too many symbolic links (ELOOP)`);
    const target = readlinkSync(next);
    left.unshift(...partsOf(target));
    if (posix.isAbsolute(target)) reached = '/';
  }
  return reached;
}

/** Why what belongs to its owner is not safe for a user; null when it is. */
export function ownerFault({ uid: owner }: Pick<Stats, 'uid'>, uid: number): string | null {
  return owner === uid || owner === 0
    ? null
    : `another user (uid ${owner}) owns it and can replace the files in it; `;
}

/**
 * Why a folder with these rights is not safe for a user; null when it is. A group whose number is
 * the user's is taken for the user's private one, which login shells and images make.
 */
export function accessFault(
  { gid, mode }: Pick<Stats, 'gid' | 'mode'>,
  uid: number,
): string | null {
  if ((mode & STICKY) !== 0) return null;
  const isGroupTrusted = gid === uid || gid === 0;
  const writable =
    (mode & WRITABLE_BY_OTHERS) !== 0 || (!isGroupTrusted && (mode & WRITABLE_BY_GROUP) !== 0);
  return writable
    ? 'other users can write to it and replace the files in it; run "chmod go-w" on it, '
    : null;
}

function partsOf(path: string): string[] {
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

/** Another instance may make it at the same time. */
function makeFolder(path: string): Stats {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return lstatSync(path);
}
