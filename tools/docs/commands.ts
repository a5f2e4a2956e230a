import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Manifest {
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
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
    .filter(([, , bin]) => !installs(text, bin!))
    .map(([command]) => `${page}: no program for \`${command}\``);
  return [...scripts, ...bins];
}

const CODE = /^```(?:sh|bash|console|powershell)\n[^]*?^```$|`[^`\n]+`/gm;
const FOLDER_USE =
  /mkdir -p (\S+)|(?:-o |--descriptor_set_out=|>>? ?)["']?((?:[\w-][\w.-]*\/)+)[\w.*-]+/g;

/**
 * Commands in the text of a page that write into a folder which nothing before them has created:
 * compilers do not, so that they fail in a folder that is empty.
 */
export function folderMistakes(page: string, text: string): string[] {
  const created: string[] = [];
  return [...text.matchAll(CODE)]
    .flatMap(([code]) => [...code.matchAll(FOLDER_USE)])
    .flatMap(([command, made, folder = '']) => {
      if (made !== undefined) created.push(`${made}/`);
      const isThere = made !== undefined || created.some((one) => one.startsWith(folder));
      return isThere ? [] : [`${page}: nothing creates ${folder} for \`${command}\``];
    });
}

/** Whether a command of the page installs the program, by the package of its name. */
function installs(text: string, bin: string): boolean {
  return [...text.matchAll(/^npm install .*/gm)].some(([command]) =>
    command.split(' ').some((word) => word.replace(/(?<=.)@.*$/, '') === bin),
  );
}

function scriptsOf(root: string, folder: string): string[] {
  return Object.keys(manifest(join(root, folder)).scripts ?? {});
}

/** Ours by their package.json, since they may not be built; others by what is installed, here or by a test bed. */
function hasBin(root: string, packageName: string | undefined, bin: string): boolean {
  if (packageName === undefined && bin.startsWith('@apix/')) return isCommand(root, bin);
  if (packageName?.startsWith('@apix/') === true) {
    return bin in (manifest(join(root, 'libs', packageName.slice('@apix/'.length))).bin ?? {});
  }
  return (
    readdirSync(join(root, 'libs')).some(
      (lib) => bin in (manifest(join(root, 'libs', lib)).bin ?? {}),
    ) ||
    existsSync(join(root, 'node_modules', '.bin', bin)) ||
    isOfTestBed(root, bin)
  );
}

/** What npx runs by the name of a package that a folder of conformance/ installs. */
function isOfTestBed(root: string, name: string): boolean {
  return readdirSync(join(root, 'conformance'))
    .map((folder) => join(root, 'conformance', folder))
    .filter((folder) => existsSync(join(folder, 'package.json')))
    .some((folder) => name in (manifest(folder).dependencies ?? {}));
}

/** What npx runs by the name of a package: its only program. */
function isCommand(root: string, name: string): boolean {
  const home = join(root, 'libs', name.slice('@apix/'.length));
  return existsSync(home) && Object.keys(manifest(home).bin ?? {}).length === 1;
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
