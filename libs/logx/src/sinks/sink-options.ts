import type { TimeFormat } from '../encode/time-format.js';
import type { Level } from '../levels/level.js';
import type { Format, SinkSpec } from './sink.js';

/** What every sink can be told. */
export interface SinkOptions {
  /** Events below are not written here. Default: the logger's level decides alone. */
  readonly minLevel?: Level | undefined;
  /** Default: `'json'`; of a console sink `'console'`. */
  readonly format?: Format | undefined;
  /** How times are written here. Default: the logger's. */
  readonly timeFormat?: TimeFormat | undefined;
  /**
   * Writes in the background: at most so many lines (`true`, and 0 or less: 1024) wait, beside
   * those being written; more are dropped, counted, and reported once per five seconds. Default:
   * false; lines are written at the end of the turn and none is dropped while the sink takes any.
   */
  readonly async?: boolean | number | undefined;
}

/** Lines that wait in an async sink at most, unless it is told otherwise. */
export const DEFAULT_ASYNC_LINES = 1024;

/** The bound of an async sink; undefined for one that is not. */
export function maxLinesOf({ async }: SinkOptions): number | undefined {
  if (async === undefined || async === false) return undefined;
  return async === true || !(async > 0) ? DEFAULT_ASYNC_LINES : Math.ceil(async);
}

/** The part of a {@link SinkSpec} that is the same for every kind of sink. */
export function specOf(
  kind: string,
  options: SinkOptions,
  open: SinkSpec['open'],
  format: Format = 'json',
): SinkSpec {
  const { minLevel, timeFormat } = options;
  return {
    kind,
    format: options.format ?? format,
    ...(minLevel === undefined ? {} : { minLevel }),
    ...(timeFormat === undefined ? {} : { timeFormat }),
    open,
  };
}
