import { open } from 'node:fs/promises';
import { thrownText } from '@apix/contracts';
import { type Path, plainKey } from './path.js';
import type { ReadTracker } from './read-tracker.js';
import { type Setting, textReadings } from './variables.js';

/** No secret is longer than this; a path to something else may be endless. */
const MAX_BYTES = 1_048_576;

const FILE = 'file';

/** The settings, and the paths whose values could not be had. */
export interface WithSecrets {
  readonly settings: readonly Setting[];
  readonly lost: readonly Path[];
}

/**
 * Replaces `APP_DB__PASSWORD_FILE` by `db.password` with the text of that file, where the schema
 * knows the latter and not `db.passwordFile`. The line break at the end of the file is left out.
 */
export async function withSecretFiles(
  settings: readonly Setting[],
  tracker: ReadTracker,
  mistakes: string[],
): Promise<WithSecrets> {
  const result: Setting[] = [];
  const lost: Path[] = [];
  for (const setting of settings) {
    const path = secretPath(setting, tracker);
    if (path === null) {
      result.push(setting);
      continue;
    }
    const { variable, readings } = setting;
    const twin = settings.find((one) => one !== setting && isSame(one.path, path));
    if (twin !== undefined) {
      mistakes.push(`${variable}: ${twin.variable} sets the same; keep one of them`);
      continue;
    }
    try {
      const text = await readSecret(String(readings.at(-1)));
      result.push({ variable, path, readings: textReadings(text) });
    } catch (error) {
      mistakes.push(`${variable}: cannot be read: ${thrownText(error)}`);
      lost.push(path);
    }
  }
  return { settings: result, lost };
}

/** The setting of a variable that names a file, or null for an ordinary variable. */
function secretPath({ path }: Setting, tracker: ReadTracker): Path | null {
  const last = plainKey(String(path.at(-1)));
  if (!last.endsWith(FILE) || tracker.unreadPart(path) !== path.length - 1) return null;
  const parent = path.slice(0, -1);
  const wanted = last.slice(0, -FILE.length);
  const key = [...tracker.keysAt(parent)].find((one) => plainKey(one) === wanted);
  return key === undefined ? null : [...parent, key];
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((part, at) => part === other[at]);
}

async function readSecret(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
      if (length > MAX_BYTES) throw new Error(`${file} has more than ${MAX_BYTES} bytes`);
    }
    return buffer.toString('utf8', 0, length).replace(/\r?\n$/, '');
  } finally {
    await handle.close();
  }
}
