import { DEFAULT_ENVIRONMENT_VAR } from '../environment.js';
import { PROCESSES_VARIABLE } from '../processes/processes-options.js';
import { type Path, pathText, plainKey } from './path.js';
import { type Tree, forbiddenKey, isBranch, valueAt } from './tree.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Variables that the host reads itself. */
const OF_THE_HOST: readonly string[] = [DEFAULT_ENVIRONMENT_VAR, PROCESSES_VARIABLE];

/** The setting of a variable of the environment. */
export interface Setting {
  readonly variable: string;
  readonly path: Path;
  /** How its text can be read, the likelier way first; the schema decides. */
  readonly readings: readonly [Tree, Tree?];
}

/**
 * The settings among the variables of the environment, given those of the files: `APP_HTTP__PORT` is
 * `http.port`. A part of a name means the key that is equal to it except for case, `_` and `-`; if there is
 * none, it is converted to camelCase. In an array, it is an index.
 */
export function readVariables(
  env: Env,
  prefix: string,
  files: Tree,
  place: (tree: Tree, setting: Setting) => Tree,
  mistakes: string[],
): Setting[] {
  const names = Object.keys(env).filter(
    (name) => name.startsWith(prefix) && name !== prefix && !OF_THE_HOST.includes(name),
  );
  const settings: Setting[] = [];
  let tree = files;
  // In this order, APP_HTTP__PORT comes after APP_HTTP and changes what that has set.
  for (const name of names.toSorted()) {
    const text = env[name];
    if (text === undefined) continue;
    const path = resolve(tree, name.slice(prefix.length).split('__'));
    if (typeof path === 'string') {
      mistakes.push(`${name}: ${path}`);
      continue;
    }
    const setting = { variable: name, path, readings: textReadings(text) };
    if (forbiddenKey(setting.readings[0]) !== null || forbiddenKey(nested(path)) !== null) {
      mistakes.push(`${name}: has a key that is not allowed as the name of a setting`);
      continue;
    }
    settings.push(setting);
    tree = place(tree, setting);
  }
  return settings;
}

/** The path that the parts of a name mean, or the mistake in them. */
function resolve(tree: Tree, parts: readonly string[]): Path | string {
  const path: (string | number)[] = [];
  for (const part of parts) {
    if (part === '') return 'a name between double underscores must not be empty';
    const at = valueAt(tree, path);
    const index = /^\d+$/.test(part) ? Number(part) : null;
    if (Array.isArray(at)) {
      if (index === null || index > at.length) {
        return `${part} is not an index of ${pathText(path)}, which has ${at.length} elements`;
      }
      path.push(index);
    } else if (isBranch(at)) path.push(keyFor(at, part));
    else if (at === undefined || at === null) path.push(index === 0 ? index : camelCase(part));
    else return `${pathText(path)} is a single value; there is nothing inside it to set`;
  }
  return path;
}

function keyFor(branch: Readonly<Record<string, Tree>>, part: string): string {
  if (Object.hasOwn(branch, part)) return part;
  return Object.keys(branch).find((key) => plainKey(key) === plainKey(part)) ?? camelCase(part);
}

function camelCase(part: string): string {
  if (/[a-z]/.test(part)) return part;
  return part.toLowerCase().replace(/_+([a-z0-9])/g, (_, next: string) => next.toUpperCase());
}

function nested(path: Path): Tree {
  return path.reduceRight<Tree>((inner, part) => ({ [part]: inner }), null);
}

/**
 * JSON where the text is JSON (numbers, true, false, null, […], {…}), or else the text. A number that is not
 * written the usual way, such as 1.0 or 007, is more likely a text, and so is a text in quotes.
 */
export function textReadings(text: string): Setting['readings'] {
  let json: Tree;
  try {
    json = JSON.parse(text);
  } catch {
    return [text];
  }
  // Why: docs/decisions/0058
  if (typeof json === 'string') return [text, json];
  if (typeof json !== 'number') return [json, text];
  if (String(json) === text) return [json, text];
  return Number.isInteger(json) && !Number.isSafeInteger(json) ? [text] : [text, json];
}
