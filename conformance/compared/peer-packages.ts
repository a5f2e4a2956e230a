import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Where the packages are that are installed for these claims alone. */
export const PACKAGES = join(process.cwd(), 'conformance/compared/node_modules');

const require = createRequire(join(PACKAGES, 'from.js'));

/** Loads one of them; what is used of it is for its user to say. */
export function load(name: string): unknown {
  return require(name);
}
