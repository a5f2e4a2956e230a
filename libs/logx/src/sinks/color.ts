import { isatty } from 'node:tty';

/**
 * Whether colours are used on a descriptor if no option says so: FORCE_COLOR takes precedence (`0` and
 * `false` turn them off), as in Node itself, then NO_COLOR (https://no-color.org: any text that is not
 * empty), then whether it is a terminal whose TERM is not `dumb`.
 */
export function wantsColor(fd: number, env: NodeJS.ProcessEnv = process.env): boolean {
  const { FORCE_COLOR: force, NO_COLOR: no } = env;
  if (force !== undefined) return force !== '0' && force !== 'false';
  if (no !== undefined && no !== '') return false;
  return env['TERM'] !== 'dumb' && isatty(fd);
}
