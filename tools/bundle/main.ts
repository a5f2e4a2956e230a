/**
 * Joins the modules that `tsc -b` compiled into the few files of which a package is published:
 * `node tools/run.mjs bundle [package folder...]`, by default all of libs/.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundlePackage } from './bundle-package.js';

const libs = join(process.cwd(), 'libs');
const asked = process.argv.slice(2).map((folder) => resolve(folder));
const homes = asked.length > 0 ? asked : readdirSync(libs).map((name) => join(libs, name));
await Promise.all(
  homes.filter((home) => existsSync(join(home, 'tsconfig.lib.json'))).map(bundlePackage),
);
