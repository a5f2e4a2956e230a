import { type Clock, type Duration, Mistakes, systemClock } from '@apix/contracts';
import { OtelError } from '../errors.js';

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

/** {@link RecentTracesOptions} with every default filled in. */
export interface ResolvedRecentTraces {
  readonly traces: number;
  readonly windowMs: number;
  readonly spans: number;
  readonly clock: Clock;
}

/** @throws OtelError that lists every mistake. */
export function resolveRecentTraces(options: RecentTracesOptions): ResolvedRecentTraces {
  const { traces = 20, window = '10m', spans = 200, clock = systemClock } = options;
  const mistakes = new Mistakes();
  const resolved = {
    traces: mistakes.count('recent.traces', traces, { min: 1, max: 200 }),
    windowMs: mistakes.duration('recent.window', window, { min: 1 }),
    spans: mistakes.count('recent.spans', spans, { min: 1, max: 500 }),
    clock,
  };
  mistakes.throwIfAny((found) => new OtelError(found));
  return resolved;
}
