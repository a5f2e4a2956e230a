import fs from 'node:fs';
import { dirname } from 'node:path';
import { directoryMode } from './file-mode.js';

/** Opens a file for appending, and for reading too with `a+`; missing directories are created. */
export function openToAppend(path: string, flags: 'a' | 'a+', mode: number): number {
  fs.mkdirSync(dirname(path), { recursive: true, mode: directoryMode(mode) });
  return fs.openSync(path, flags, mode);
}

/** Whether the file at the path is the one that was opened, and not moved or deleted since. */
export function isAtPath(path: string, open: Pick<fs.Stats, 'ino' | 'dev'>): boolean {
  try {
    const atPath = fs.statSync(path);
    return atPath.ino === open.ino && atPath.dev === open.dev;
  } catch {
    return false;
  }
}
