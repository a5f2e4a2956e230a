import { type Clock, type Duration, systemClock } from '@apix/contracts';
import {
  CLOCK,
  duration,
  type OptionTable,
  type ReadOptions,
  wholeNumber,
  withDefault,
} from '@apix/contracts/options';

export interface RecentTracesOptions {
  /** How many of the slowest are kept, and how many of the failed; at most 200. Default: 20. */
  readonly traces?: number | undefined;
  /** How long ago the end of a kept trace may be. Default: '10m'. */
  readonly window?: Duration | undefined;
  /** How many spans of a trace are kept, the first included; at most 500. Default: 200. */
  readonly spans?: number | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** The allowed values of the options of recent traces. */
export const RECENT_TRACES_OPTIONS = {
  traces: withDefault(wholeNumber({ min: 1, max: 200 }), 20),
  window: withDefault(duration({ min: 1 }), 600_000),
  spans: withDefault(wholeNumber({ min: 1, max: 500 }), 200),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<RecentTracesOptions>;

/** The options, read, with every default; the window in milliseconds. */
export type ResolvedRecentTraces = ReadOptions<typeof RECENT_TRACES_OPTIONS>;
