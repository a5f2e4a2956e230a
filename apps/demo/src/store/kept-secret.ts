import { randomUUID } from 'node:crypto';
import { chmodSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder } from '../assets.js';

/**
 * A secret that stays over restarts: the text of a file in DATA_DIR that its owner alone can read, made
 * when it is missing. Of two processes that make it at the same time, both get the first one's.
 */
export function keptSecret(name: string, make: () => string): string {
  const folder = dataFolder();
  const path = join(folder, name);
  return read(path) ?? (write(folder, path, make()), read(path)!);
}

function read(path: string): string | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    // Such as one that came with a backup.
    chmodSync(path, 0o600);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`demo: ${path} cannot be read as this user's own file`, { cause: error });
  }
}

/** Under another name first, so that nobody reads one half of it. */
function write(folder: string, path: string, text: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}
