import { type Duration, Mistakes, OptionsError, parseDuration, shownValue } from '@apix/contracts';
import {
  option,
  type Option,
  type OptionTable,
  parsedOption,
  type ReadOptions,
  TEXT,
} from '@apix/contracts/internal';
import { type FindFields, safeFinder } from './found-fields.js';
import type { ChosenHeaders } from './header-fields.js';
import type { LevelRules, LoggedOutcome } from './level-rules.js';
import type { ChooseLevel } from './level-table.js';
import { safeGenerator } from './request-id.js';

import { type ProbeLog, PROBES } from './request-level.js';
import { NO_SAMPLE, type RequestSample, SAMPLE, type SampleSettings } from './request-sample.js';

/** The options that all entry points share. */
export interface DoorOptions {
  /** Name of the field that holds the request's id. Default: `'RequestId'`. */
  readonly field?: string | undefined;
  /**
   * How probes are logged, which are requests to infrastructure endpoints (health, metrics, docs) and to
   * the gRPC health service: `all`, like any request; `debug`, successful ones at level debug, the others
   * like any request; `off`, never, whatever the outcome. A probe with an unexpected failure is always one
   * event. Default: that of the module, else `'all'`.
   */
  readonly probes?: ProbeLog | undefined;
  /** The same as `probes: 'off'`; for HTTP it can be an array of paths that are probes too. */
  readonly skipProbes?: boolean | readonly string[] | undefined;
  /**
   * Requests that take longer are at least warnings, except streams, whose length is up to their callers.
   * Default: no request counts as slow.
   */
  readonly slow?: Duration | undefined;
  /**
   * Writes the events of one in this many successful requests, by handler, and of all others: failed ones,
   * those with a level of warning or above, and slow ones. `stands_for` of a written event is the number of
   * requests that it represents; the figure `apix.logx.requests.left_out` counts those left out. Events of
   * handlers are always logged. Default: all are written.
   */
  readonly sample?: number | RequestSample | undefined;
}

/** The field that holds a request's id, unless options say otherwise. */
export const DEFAULT_ID_FIELD = 'RequestId';

/** The options that all entry points share, checked and with every default. */
export interface DoorSettings<S, O extends LoggedOutcome> {
  readonly field: string;
  readonly newId: (subject: S) => string;
  readonly fields: FindFields<S>;
  readonly rules: LevelRules<O>;
  readonly sample: SampleSettings;
  /** Paths that are probes. */
  readonly probePaths: ReadonlySet<string>;
}

/** Paths of HTTP requests. */
export const PATHS: Option<readonly string[]> = {
  schema: undefined,
  read(value, at, mistakes) {
    if (!Array.isArray(value)) {
      mistakes.add(at, `must be an array of paths, not ${shownValue(value)}`);
      return undefined;
    }
    return (value as readonly unknown[]).filter((path, i): path is string => {
      if (typeof path === 'string' && path.startsWith('/')) return true;
      const what = `must be a path that starts with "/", not ${shownValue(path)}`;
      mistakes.add(`${at}[${i}]`, what);
      return false;
    });
  },
};

const FLAG_OR_PATHS = option<boolean>(
  'true, false or an array of paths',
  (value) => typeof value === 'boolean',
);

/** `all`, or names of headers or metadata, which are made lower-case. */
export const CHOSEN_HEADERS: Option<ChosenHeaders> = {
  schema: undefined,
  read(value, at, mistakes) {
    const isRight =
      value === 'all' || (Array.isArray(value) && value.every((each) => typeof each === 'string'));
    if (!isRight) {
      mistakes.add(at, `must be "all" or an array of names, not ${shownValue(value)}`);
      return undefined;
    }
    return value === 'all' ? value : value.map((name) => name.toLowerCase());
  },
};

/** The allowed values of the options that all entry points share. */
export const DOOR_OPTIONS = {
  field: TEXT,
  probes: PROBES,
  skipProbes: {
    schema: undefined,
    read: (value: unknown, at: string, mistakes: Mistakes) =>
      (Array.isArray(value) ? PATHS : FLAG_OR_PATHS).read(value, at, mistakes),
  } satisfies Option<boolean | readonly string[]>,
  slow: parsedOption((value) => parseDuration(value as Duration)),
  sample: SAMPLE,
} satisfies OptionTable<DoorOptions>;

/** The options that each entry point reads in its own way. */
interface DoorParts<S, O extends LoggedOutcome> {
  readonly idGenerator?: ((subject: S) => string) | undefined;
  readonly fields?: FindFields<S>;
  readonly levels?: ChooseLevel<O> | undefined;
  readonly probePaths?: readonly string[] | undefined;
}

/** The settings of options that are read. */
export function doorSettings<S, O extends LoggedOutcome>(
  read: ReadOptions<typeof DOOR_OPTIONS>,
  { idGenerator, fields, levels, probePaths = [] }: DoorParts<S, O>,
): DoorSettings<S, O> {
  const { field = DEFAULT_ID_FIELD, skipProbes = false, slow = Infinity } = read;
  const { sample = NO_SAMPLE } = read;
  const { probes = skipProbes === false ? 'all' : 'off' } = read;
  return {
    field,
    newId: safeGenerator(idGenerator),
    fields: safeFinder(fields),
    sample,
    rules: { choose: levels, slowMs: slow, probes, isPlain: !levels && slow === Infinity },
    probePaths: new Set([...probePaths, ...(typeof skipProbes === 'boolean' ? [] : skipProbes)]),
  };
}

/** Notes `skipProbes` next to `probes`, of which it is the older form. */
export function refuseBothProbes(
  { probes, skipProbes }: ReadOptions<typeof DOOR_OPTIONS>,
  at: string,
  mistakes: Mistakes,
): void {
  if (probes === undefined || skipProbes === undefined) return;
  mistakes.add(`${at && `${at}.`}skipProbes`, 'cannot be given together with probes');
}

/** Returns the result of `read`. @throws OptionsError with the mistakes that it records. */
export function resolved<T>(read: (mistakes: Mistakes) => T): T {
  const mistakes = new Mistakes();
  const settings = read(mistakes);
  mistakes.throwIfAny((found) => new OptionsError('logx', found));
  return settings;
}
