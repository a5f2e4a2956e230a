import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where the packages are that are installed for these claims alone. */
export const PACKAGES = join(process.cwd(), 'conformance/compared/node_modules');

const require = createRequire(join(PACKAGES, 'from.js'));

/** Loads one of them. */
export function load<T>(name: string): T {
  return require(name) as T;
}
