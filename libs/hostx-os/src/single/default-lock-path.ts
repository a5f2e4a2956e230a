import { OptionsError, shownValue } from '@apix/contracts';
import { tmpdir } from 'node:os';
import { posix, win32 } from 'node:path';

/** What the path depends on; a test passes its own. */
export interface LockPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined where users have no number, as on Windows. */
  readonly uid: number | undefined;
  readonly tmp: string;
}

/** A name that is one part of a path on every system, and hides nothing. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/**
 * The default path of a program's lock: in the folder that systemd created for the unit
 * (`RUNTIME_DIRECTORY`), else in the user's own (`XDG_RUNTIME_DIR`), else in `/run` for root and in the
 * temporary folder, under the user's id, for others. On Windows in `%ProgramData%`, so that a service and a
 * user see the same one.
 *
 * @throws OptionsError for a name with anything but letters, digits, `.`, `_` and `-`.
 */
export function defaultLockPath(name: string, place: LockPlace = here()): string {
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw new OptionsError('hostx-os: lock', [
      `name: ${shownValue(name)} is not a valid name; use at most 100 letters, digits, ".", "_" ` +
        'and "-", starting with a letter or digit',
    ]);
  }
  const { env, platform, tmp, uid } = place;
  if (platform === 'win32') return win32.join(env['ProgramData'] ?? tmp, `${name}.lock`);
  // Of several folders of a unit, the first.
  const [unit = ''] = env['RUNTIME_DIRECTORY']?.split(':') ?? [];
  const folder = [unit, env['XDG_RUNTIME_DIR'] ?? ''].find((path) => path.startsWith('/'));
  if (folder !== undefined) return posix.join(folder, `${name}.lock`);
  if (uid === 0 && platform === 'linux') return posix.join('/run', `${name}.lock`);
  return posix.join(tmp, `${name}-${uid ?? 'any'}.lock`);
}

function here(): LockPlace {
  return { platform: process.platform, env: process.env, uid: process.getuid?.(), tmp: tmpdir() };
}
