/**
 * Joins the modules that `tsc -b` compiled into the few files of which a package is published:
 * `node tools/run.mjs bundle [package folder...]`, by default all of libs/.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { MODULES, bundlePackage } from './bundle-package.js';

const libs = join(process.cwd(), 'libs');
const asked = process.argv.slice(2).map((folder) => resolve(folder));
const homes = asked.length > 0 ? asked : readdirSync(libs).map((name) => join(libs, name));
await Promise.all(homes.filter(isCompiledForIt).map(bundlePackage));

/** A package may be published as `tsc` writes it, as one of CommonJS has to be. */
function isCompiledForIt(home: string): boolean {
  const file = join(home, 'tsconfig.lib.json');
  if (!existsSync(file)) return false;
  const { compilerOptions } = JSON.parse(readFileSync(file, 'utf8')) as {
    compilerOptions?: { outDir?: string };
  };
  return compilerOptions?.outDir === MODULES;
}
