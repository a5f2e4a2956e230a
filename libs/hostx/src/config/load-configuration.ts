import { Environment, environmentFromEnv } from '../environment.js';
import { readConfigFiles } from './config-files.js';
import { ConfigurationError } from './configuration-error.js';
import type { Layer } from './layer.js';
import { type Path, isWithin, pathText, variableOf } from './path.js';
import type { SchemaIssue, StandardSchema } from './standard-schema.js';
import { type Tree, freeze, merge, valueAt, withValueAt } from './tree.js';
import { type Setting, readVariables } from './variables.js';

export interface ConfigurationOptions<T> {
  /** A schema of Zod, Valibot, ArkType or another that implements Standard Schema. */
  readonly schema: StandardSchema<T>;
  /**
   * The base file, with or without its extension (.yaml, .yml, .json), relative to the working
   * directory. Default: 'config', which need not exist.
   */
  readonly file?: string;
  /** Whose file is laid over the base file. Default: what the variable APP_ENVIRONMENT says. */
  readonly environment?: Environment | string;
  /** How the names of variables begin that are settings. Default: 'APP_'. */
  readonly prefix?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

interface Located {
  readonly path: Path;
  readonly message: string;
}

type Verdict<T> = { readonly value: T } | { readonly issues: readonly Located[] };

/**
 * Reads the base file, the file of the environment and the variables, lays them over each other
 * in this order and has the schema check the whole. The result is frozen.
 *
 * @throws ConfigurationError that lists every mistake with its file and line, or its variable.
 */
export async function loadConfiguration<T>(options: ConfigurationOptions<T>): Promise<T> {
  const { env = process.env, prefix = 'APP_', schema } = options;
  const { environment: named = environmentFromEnv('', env) } = options;
  const environment = typeof named === 'string' ? new Environment(named) : named;
  const mistakes: string[] = [];
  if (prefix === '') mistakes.push('prefix: must not be empty, or every variable is a setting');
  const layers = await readConfigFiles(options.file, environment, mistakes);
  const files = layers.reduce<Tree>((tree, layer) => merge(tree, layer.tree), {});
  const place = (tree: Tree, setting: Setting): Tree => placed(tree, setting, new Set());
  const settings = prefix === '' ? [] : readVariables(env, prefix, files, place, mistakes);
  // A layer that could not be read would have the schema find things missing that are not.
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);

  const verdict = await judge(schema, files, settings);
  if ('value' in verdict) return freeze(verdict.value);
  const whole = settings.reduce(place, files);
  const sources = { whole, layers, settings, prefix };
  throw new ConfigurationError(
    verdict.issues.map(
      (issue) => `${pathText(issue.path)}: ${issue.message} (${source(issue.path, sources)})`,
    ),
  );
}

/** Validates, and again with the other readings of those variables that were refused. */
async function judge<T>(
  schema: StandardSchema<T>,
  files: Tree,
  settings: readonly Setting[],
): Promise<Verdict<T>> {
  const doubtful = settings.filter(({ readings }) => readings.length > 1);
  const validate = (others: ReadonlySet<Setting>): Promise<Verdict<T>> =>
    verdictOf(
      schema,
      settings.reduce((tree, setting) => placed(tree, setting, others), files),
    );
  const first = await validate(new Set());
  if ('value' in first) return first;
  const refused = doubtful.filter(({ path }) =>
    first.issues.some((one) => isWithin(one.path, path)),
  );
  // A union tells its refusal at its own place, not at that of the value.
  const near = doubtful.filter(({ path }) => first.issues.some((one) => isWithin(path, one.path)));
  let second = first as Verdict<T>;
  for (const others of [refused, [...refused, ...near]]) {
    if (others.length === 0) continue;
    const verdict = await validate(new Set(others));
    if ('value' in verdict) return verdict;
    if (others === refused) second = verdict;
  }
  return { issues: both(first.issues, 'issues' in second ? second.issues : [], refused) };
}

function placed(tree: Tree, setting: Setting, others: ReadonlySet<Setting>): Tree {
  const [reading, other] = setting.readings;
  return withValueAt(tree, setting.path, others.has(setting) ? other : reading);
}

async function verdictOf<T>(schema: StandardSchema<T>, tree: Tree): Promise<Verdict<T>> {
  const result = await schema['~standard'].validate(tree);
  return result.issues === undefined ? result : { issues: result.issues.map(located) };
}

function located({ path = [], message }: SchemaIssue): Located {
  const parts = path.map((part) => (typeof part === 'object' ? part.key : part));
  return { message, path: parts.map((part) => (typeof part === 'number' ? part : String(part))) };
}

/** What remains wrong: of variables that fit neither way, what is wrong with either reading. */
function both(
  first: readonly Located[],
  second: readonly Located[],
  refused: readonly Setting[],
): readonly Located[] {
  return first.flatMap((issue) => {
    const setting = refused.find(({ path }) => isWithin(issue.path, path));
    if (setting === undefined) return [issue];
    const other = second.find(({ path }) => isWithin(path, setting.path));
    if (other === undefined) return [];
    const isText = typeof setting.readings[0] === 'string';
    const as = isText ? 'read as JSON' : 'read as text';
    const message =
      other.message === issue.message ? issue.message : `${issue.message}; ${as}: ${other.message}`;
    return [{ path: issue.path, message }];
  });
}

interface Sources {
  readonly whole: Tree;
  readonly layers: readonly Layer[];
  readonly settings: readonly Setting[];
  readonly prefix: string;
}

/** Where the value at a path comes from, or could. */
function source(path: Path, { whole, layers, settings, prefix }: Sources): string {
  const setting = settings.findLast((one) => isWithin(path, one.path));
  if (setting !== undefined) return setting.variable;
  const files = layers.map(({ name }) => name);
  if (path.length === 0) return [...files, `variables ${prefix}…`].join(', ');
  if (valueAt(whole, path) === undefined) {
    return `missing; set it in ${files.at(-1) ?? 'a file'} or as ${variableOf(path, prefix)}`;
  }
  const layer = layers.findLast(({ tree }) => valueAt(tree, path) !== undefined);
  return layer?.at(path) ?? settings.find((one) => isWithin(one.path, path))?.variable ?? 'unknown';
}
