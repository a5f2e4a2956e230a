import { existsSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';

/**
 * Names of old files in lumberjack's form: `app.json` becomes `app-2026-11-21T03-04-05.678.json` (the time
 * of rotation), followed by `.gz` when it is compressed.
 */
export class BackupNames {
  readonly directory: string;
  readonly #prefix: string;
  readonly #extension: string;
  readonly #localTime: boolean;

  constructor(path: string, localTime: boolean) {
    this.directory = dirname(path);
    this.#extension = extname(path);
    // Why: docs/decisions/0046
    this.#prefix = `${basename(path, this.#extension)}-`;
    this.#localTime = localTime;
  }

  /** The path of the backup made at `time`, without `.gz`. */
  pathAt(time: number): string {
    const shift = this.#localTime ? new Date(time).getTimezoneOffset() * 60_000 : 0;
    const stamp = new Date(time - shift).toISOString().slice(0, 23).replaceAll(':', '-');
    return join(this.directory, `${this.#prefix}${stamp}${this.#extension}`);
  }

  /** The path of the next backup: two in the same millisecond must not overwrite each other's file. */
  freePathAt(now: number): string {
    for (let time = now; ; time++) {
      const path = this.pathAt(time);
      if (!existsSync(path) && !existsSync(path + COMPRESSED)) return path;
    }
  }

  /** The backup that a file name of this directory represents; undefined for other files. */
  parse(fileName: string): { readonly time: number; readonly compressed: boolean } | undefined {
    const compressed = fileName.endsWith(COMPRESSED);
    const plain = compressed ? fileName.slice(0, -COMPRESSED.length) : fileName;
    if (!plain.startsWith(this.#prefix) || !plain.endsWith(this.#extension)) return undefined;
    const stamp = plain.slice(this.#prefix.length, plain.length - this.#extension.length);
    if (!STAMP.test(stamp)) return undefined;
    const iso = stamp.replace(/-(\d\d)-(\d\d)\./, ':$1:$2.');
    const time = Date.parse(this.#localTime ? iso : `${iso}Z`);
    return Number.isNaN(time) ? undefined : { time, compressed };
  }
}

export const COMPRESSED = '.gz';
const STAMP = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/;
