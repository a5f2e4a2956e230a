import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * The major version of the Nest that is installed, for what only some of them can do: a test asks it
 * for what to expect, and is never left out.
 */
export const NEST_MAJOR = majorOf('@nestjs/core');

function majorOf(name: string): number {
  const file = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string };
  return Number.parseInt(version, 10);
}

/** What to expect with the installed Nest: by the major version, where no entry is given that of 12. */
export function withNest<T>(expected: { readonly 11: T; readonly 12: T }): T {
  return NEST_MAJOR < 12 ? expected[11] : expected[12];
}
