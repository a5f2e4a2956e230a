import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
}

const SCRIPT = /\bnpm (?:--prefix (\S+) )?(?:run ([\w:-]+)|(start|test)\b)/g;
const BIN = /\bnpx (?:(?:-y|--yes) )?(?:(?:-p|--package)[ =](\S+) )?([\w@][\w@/.-]*)/g;

/** Commands in the text of a page that name a script or a program that there is not. */
export function commandMistakes(root: string, page: string, text: string): string[] {
  const scripts = [...text.matchAll(SCRIPT)]
    .filter(([, prefix = '.', run, short]) => !scriptsOf(root, prefix).includes(run ?? short!))
    .map(([command]) => `${page}: no script for \`${command}\``);
  const bins = [...text.matchAll(BIN)]
    .filter(([, packageName, bin]) => !hasBin(root, packageName, bin!))
    .map(([command]) => `${page}: no program for \`${command}\``);
  return [...scripts, ...bins];
}

function scriptsOf(root: string, folder: string): string[] {
  return Object.keys(manifest(join(root, folder)).scripts ?? {});
}

/** Ours by their package.json, since they may not be built; others by what is installed. */
function hasBin(root: string, packageName: string | undefined, bin: string): boolean {
  if (packageName?.startsWith('@apix/') === true) {
    return bin in (manifest(join(root, 'libs', packageName.slice('@apix/'.length))).bin ?? {});
  }
  return (
    readdirSync(join(root, 'libs')).some(
      (lib) => bin in (manifest(join(root, 'libs', lib)).bin ?? {}),
    ) || existsSync(join(root, 'node_modules', '.bin', bin))
  );
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
