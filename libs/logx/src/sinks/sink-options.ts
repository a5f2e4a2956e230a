import { Mistakes, OptionsError, shownValue } from '@apix/contracts';
import { TIME_FORMATS, type TimeFormat } from '../encode/time-format.js';
import { isLevel, type Level, LEVELS } from '../levels/level.js';
import { type Format, FORMATS, type SinkSpec } from './sink.js';

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

/** Adds what is wrong with the options that every sink has. */
export function checkSinkOptions(options: SinkOptions, mistakes: Mistakes): void {
  const { minLevel, format, timeFormat, async } = options;
  if (minLevel !== undefined && !isLevel(minLevel)) {
    const levels = LEVELS.join(', ');
    mistakes.add('minLevel', `must be a Level (${levels}), not ${shownValue(minLevel)}`);
  }
  if (format !== undefined) mistakes.choice('format', format, FORMATS);
  if (timeFormat !== undefined) mistakes.choice('timeFormat', timeFormat, TIME_FORMATS);
  if (async !== undefined && typeof async !== 'boolean') {
    if (typeof async !== 'number') {
      mistakes.add('async', `must be true, false or a number of lines, not ${shownValue(async)}`);
    }
  }
}

/** The part of a {@link SinkSpec} that is the same for every kind of sink. */
export function specOf(
  kind: string,
  options: SinkOptions,
  open: SinkSpec['open'],
  format: Format = 'json',
): SinkSpec {
  const mistakes = new Mistakes();
  checkSinkOptions(options, mistakes);
  mistakes.throwIfAny((found) => new OptionsError(`logx: ${kind} sink`, found));
  const { minLevel, timeFormat } = options;
  return {
    kind,
    format: options.format ?? format,
    ...(minLevel === undefined ? {} : { minLevel }),
    ...(timeFormat === undefined ? {} : { timeFormat }),
    open,
  };
}
