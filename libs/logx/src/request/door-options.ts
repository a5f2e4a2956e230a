import { Mistakes, OptionsError, shownValue } from '@apix/contracts';
import { callable, type Option, option, TEXT } from '../options/option.js';
import type { OptionTable, ReadOptions } from '../options/option-table.js';
import { safeGenerator } from './request-id.js';

/** What the doors have in common. */
export interface DoorOptions {
  /** Name of the field that holds the request's id. Default: `'RequestId'`. */
  readonly field?: string | undefined;
  /**
   * Makes an id where a request brings none that can be used. What it throws, and an id that is
   * not 1 to 128 visible ASCII characters, is replaced by `newId()`. Default: `newId`.
   */
  readonly idGenerator?: (() => string) | undefined;
  /**
   * Leaves out successful and failed probes: requests that infrastructure endpoints (health,
   * metrics, docs) answer, the gRPC health service, and the HTTP paths given here. Default:
   * false, all are logged.
   */
  readonly skipProbes?: boolean | readonly string[] | undefined;
}

/** The field that holds a request's id, unless options say otherwise. */
export const DEFAULT_ID_FIELD = 'RequestId';

/** What the doors have in common, checked and with every default. */
export interface DoorSettings {
  readonly field: string;
  readonly newId: () => string;
  readonly skipsProbes: boolean;
  /** Paths that are probes. */
  readonly probes: ReadonlySet<string>;
}

const PATHS: Option<readonly string[]> = {
  schema: { type: 'array', items: { type: 'string', pattern: '^/' } },
  read: (value, at, mistakes) =>
    (value as readonly unknown[]).filter((path, i): path is string => {
      if (typeof path === 'string' && path.startsWith('/')) return true;
      const what = `must be a path that starts with "/", not ${shownValue(path)}`;
      mistakes.add(`${at}[${i}]`, what);
      return false;
    }),
};

const FLAG_OR_PATHS = option<boolean>(
  'true, false or an array of paths',
  (value) => typeof value === 'boolean',
);

/** What each option may be that the doors have in common. */
export const DOOR_OPTIONS = {
  field: TEXT,
  idGenerator: callable<() => string>(),
  skipProbes: {
    schema: { anyOf: [{ type: 'boolean' }, PATHS.schema] },
    read: (value: unknown, at: string, mistakes: Mistakes) =>
      (Array.isArray(value) ? PATHS : FLAG_OR_PATHS).read(value, at, mistakes),
  } satisfies Option<boolean | readonly string[]>,
} satisfies OptionTable<DoorOptions>;

/** The settings of options that are read. */
export function doorSettings({
  field = DEFAULT_ID_FIELD,
  idGenerator,
  skipProbes = false,
}: ReadOptions<typeof DOOR_OPTIONS>): DoorSettings {
  return {
    field,
    newId: safeGenerator(idGenerator),
    skipsProbes: skipProbes !== false,
    probes: new Set(typeof skipProbes === 'boolean' ? [] : skipProbes),
  };
}

/** What `read` returns. @throws OptionsError with the mistakes that it notes. */
export function resolved<T>(read: (mistakes: Mistakes) => T): T {
  const mistakes = new Mistakes();
  const settings = read(mistakes);
  mistakes.throwIfAny((found) => new OptionsError('logx', found));
  return settings;
}
