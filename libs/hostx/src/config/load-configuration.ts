import {
  type Option,
  type OptionTable,
  TEXT,
  anyValue,
  callable,
  checkedOptions,
  foreignObject,
  option,
  parsedOption,
  required,
  withDefault,
  mistakesText,
} from '@apix/contracts/internal';
import { Environment, defaultEnvironment } from '../environment.js';
import { readConfigFiles } from './config-files.js';
import type { Layer } from './layer.js';
import { type Path, isWithin, pathText, variableOf } from './path.js';
import { ReadTracker } from './read-tracker.js';
import { withSecretFiles } from './secret-files.js';
import type { StandardSchema } from './standard-schema.js';
import { type Tree, freeze, merge, valueAt } from './tree.js';
import { unreadKeys, unreadVariables } from './unread-settings.js';
import { type Setting, readVariables } from './variables.js';
import { judge, placed } from './verdict.js';

export interface ConfigurationOptions<T> {
  /** A schema of Zod, Valibot, ArkType or another that implements Standard Schema. */
  readonly schema: StandardSchema<T>;
  /**
   * The base file, with or without its extension (.yaml, .yml, .json), relative to the working
   * directory. Default: 'config', which need not exist.
   */
  readonly file?: string;
  /**
   * The environment whose file overrides the base file. Default: APP_ENVIRONMENT, or else NODE_ENV, or Production.
   */
  readonly environment?: Environment | string;
  /** How the names of variables begin that are settings. Default: 'APP_'. */
  readonly prefix?: string;
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Called, if the configuration is valid, with a text for each variable that begins with the prefix, and for
   * each key of a file, that the schema does not know: probably misspelt. If it throws, the configuration is
   * refused.
   * Default: a warning of the process, or of Nest's logger in `ConfigurationModule`.
   */
  readonly onUnread?: (settings: readonly string[]) => void;
}

const PREFIX: Option<string> = parsedOption((value) => {
  if (typeof value === 'string' && value !== '') return value;
  throw new Error('must not be empty, or every variable is a setting');
});

const SCHEMA: Option<StandardSchema<unknown>> = option(
  'a schema that implements Standard Schema',
  (value) => (value as Partial<StandardSchema<unknown>> | null)?.['~standard'] !== undefined,
);

const CONFIGURATION_OPTIONS = {
  schema: required<StandardSchema<unknown> | undefined>(SCHEMA, undefined),
  file: TEXT,
  environment: anyValue<Environment | string>(),
  prefix: withDefault(PREFIX, 'APP_'),
  env: withDefault(foreignObject<NodeJS.ProcessEnv>(), process.env),
  onUnread: withDefault(callable<(settings: readonly string[]) => void>(), warnOfUnread),
} satisfies OptionTable<ConfigurationOptions<unknown>>;

/**
 * Reads the base file, the file of the environment and the variables, lays them over each other
 * in this order and has the schema check the whole. The result is frozen. Where the schema knows
 * `password` and not `passwordFile`, `APP_PASSWORD_FILE` is the path of a file with the password.
 *
 * @throws ConfigurationError that lists every mistake with its file and line, or its variable.
 */
export async function loadConfiguration<T>(options: ConfigurationOptions<T>): Promise<T> {
  const { env, prefix, onUnread } = checkedOptions(
    CONFIGURATION_OPTIONS,
    options,
    (found) => new ConfigurationError(found),
  );
  const { schema } = options;
  const { environment: named = defaultEnvironment(env) } = options;
  const environment = typeof named === 'string' ? new Environment(named) : named;
  const mistakes: string[] = [];
  const layers = await readConfigFiles(options.file, environment, mistakes);
  const files = layers.reduce<Tree>((tree, layer) => merge(tree, layer.tree), {});
  const place = (tree: Tree, setting: Setting): Tree => placed(tree, setting, new Set());
  const given = readVariables(env, prefix, files, place, mistakes);

  // Why: docs/decisions/0058
  const tracker = await track(schema, given.reduce(place, files));
  const { settings, lost } = await withSecretFiles(given, tracker, mistakes);
  const unread = [...unreadVariables(settings, tracker, prefix), ...unreadKeys(layers, tracker)];
  const verdict = await judge(schema, files, settings);
  if ('value' in verdict && mistakes.length === 0) {
    if (unread.length > 0) onUnread(unread.map(({ text }) => text));
    return freeze(verdict.value);
  }
  const sources = { whole: settings.reduce(place, files), layers, settings, prefix, lost };
  const issues = ('issues' in verdict ? verdict.issues : []).filter(({ path }) =>
    isCertain(path, sources),
  );
  for (const { path, message } of issues) {
    mistakes.push(`${pathText(path)}: ${message} (${sourceOf(path, sources)})`);
  }
  // A missing setting may exist under a misspelt name.
  for (const { meant, text, path: unreadPath } of unread) {
    const isSaid = issues.some(({ path }) => isWithin(path, unreadPath));
    if (meant !== undefined && !isSaid) mistakes.push(text);
  }
  throw new ConfigurationError(mistakes);
}

/** Validates the whole with the schema, and records what the schema reads. */
async function track(schema: StandardSchema<unknown>, whole: Tree): Promise<ReadTracker> {
  const tracker = new ReadTracker(whole);
  try {
    await schema['~standard'].validate(tracker.watched);
  } catch {
    // A schema that cannot do with a watched tree has looked at everything.
    return new ReadTracker(whole);
  }
  return tracker;
}

function warnOfUnread(settings: readonly string[]): void {
  for (const text of settings) {
    process.emitWarning(`hostx: configuration: ${text}`, { code: 'APIX_UNREAD_SETTING' });
  }
}

/** Every mistake of a configuration at once, each with its place; never a value. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(readonly mistakes: readonly string[]) {
    super(mistakesText('hostx: configuration', mistakes));
  }
}

/** The sources of a configuration. */
export interface Sources {
  readonly whole: Tree;
  readonly layers: readonly Layer[];
  readonly settings: readonly Setting[];
  readonly prefix: string;
  /** Paths whose values could not be had. */
  readonly lost: readonly Path[];
}

/** Where the value at a path comes from, or could. */
export function sourceOf(path: Path, { whole, layers, settings, prefix }: Sources): string {
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

/** Whether a fault at a path would also exist if everything could have been read. */
export function isCertain(path: Path, { layers, settings, lost }: Sources): boolean {
  if (lost.some((one) => isWithin(path, one) || isWithin(one, path))) return false;
  if (settings.some((one) => isWithin(path, one.path))) return true;
  const lostLayer = layers.findLastIndex(({ isLost }) => isLost);
  if (lostLayer === -1) return true;
  return layers.findLastIndex(({ tree }) => valueAt(tree, path) !== undefined) > lostLayer;
}
