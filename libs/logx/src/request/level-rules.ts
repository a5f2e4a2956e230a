import { Level } from '../levels/level.js';
import type { ProbeLog, ReadRequestLevel } from './request-level.js';
import type { RequestRecord } from './request-record.js';

/** How a request ended: the part that all entry points share. */
export interface LoggedOutcome {
  /** Milliseconds since the start, to the microsecond. */
  readonly durationMs: number;
  /** `Class.method` of the handler; undefined if none was reached. */
  readonly handler: string | undefined;
  /** The first error that was thrown; undefined if none was. */
  readonly error: unknown;
  /** The level of the event unless another is chosen. */
  readonly level: Level;
}

/** What decides about the level of an event in addition to the defaults of its entry point. */
export interface LevelRules<O extends LoggedOutcome> {
  /** The option `levels`; undefined if it is not given or chooses no level. */
  readonly choose: ((outcome: O) => ReadRequestLevel | undefined) | undefined;
  /** Milliseconds after which a request is slow. */
  readonly slowMs: number;
  readonly probes: ProbeLog;
  /** Whether neither `levels` nor `slow` is given. */
  readonly isPlain: boolean;
}

/** A request that has ended, for {@link levelOf}. */
export interface EndedRequest<O extends LoggedOutcome> {
  readonly record: RequestRecord;
  readonly isProbe: boolean;
  /** Whether the caller determines the duration. */
  readonly isStream: boolean;
  readonly outcome: O;
}

/** The level of the event of a request that has ended. */
// Why: docs/decisions/0256
export function levelOf<O extends LoggedOutcome>(
  { choose, slowMs, probes }: LevelRules<O>,
  { record, isProbe, isStream, outcome }: EndedRequest<O>,
): ReadRequestLevel {
  const hasSucceeded = outcome.level <= Level.Information;
  let level: ReadRequestLevel = choose?.(outcome) ?? outcome.level;
  const { routeLevel } = record;
  if (routeLevel !== undefined && (hasSucceeded || routeLevel === 'off')) level = routeLevel;
  if (isProbe && probes === 'off') level = 'off';
  if (level === 'off') return 'off';
  if (isProbe && probes === 'debug' && hasSucceeded && level > Level.Debug) level = Level.Debug;
  const isSlow = outcome.durationMs > slowMs && !isStream;
  return isSlow && level < Level.Warning ? Level.Warning : level;
}
