import { Mistakes, OptionsError } from '@apix/contracts';
import {
  type AnyTable,
  wholeNumber,
  option,
  type Option,
  type OptionTable,
  type ReadOptions,
  readOptions,
} from '@apix/contracts/internal';
import { LAYOUT } from '../encode/console-layout.js';
import { FORMAT_CHOICE } from '../encode/own-format.js';
import { TIME_FORMAT, type TimeFormat } from '../encode/time-format.js';
import type { LevelInput } from '../levels/level.js';
import { LEVEL } from '../levels/level-option.js';
import { chosenFormat, chosenLayout, type FormatChoice, type FormatTarget } from './auto-format.js';
import type { SinkSpec } from './sink.js';
import { optionalParts } from './spec-parts.js';

/** The options that every sink has. */
export interface SinkOptions {
  /** Events below are not written here; a level or its name. Default: the logger's level decides alone. */
  readonly minLevel?: LevelInput | undefined;
  /**
   * Events above are not written here, so that other sinks can have them: a level or its name. Default: no
   * bound.
   */
  readonly maxLevel?: LevelInput | undefined;
  /**
   * A format by its name, or one of your own: an encoder. `'auto'` is `'console'` for a sink that writes to a
   * terminal, `'json'` for any other, such as a file. Default: `'json'`; for a console sink `'console'`.
   */
  readonly format?: FormatChoice | undefined;
  /**
   * The layout of lines in the console format, such as `{time} {level} {logger,-20} {message}`. Default: time,
   * level, message, fields, caller; the error and the stack on lines below.
   */
  readonly layout?: string | undefined;
  /** How times are written here. Default: the logger's. */
  readonly timeFormat?: TimeFormat | undefined;
  /**
   * Writes in the background: at most this many lines (`true`, and 0 or less: 1024) wait, in addition to
   * those being written; more are dropped, counted, and reported once per five seconds. Default: false;
   * lines are written at the end of the turn and none is dropped while the sink accepts any.
   */
  readonly async?: boolean | number | undefined;
}

/** The options of a sink that writes to a descriptor. */
export interface GatheringSinkOptions extends SinkOptions {
  /**
   * Milliseconds for which lines are gathered before they are written, or until 64 KiB are gathered: fewer
   * writes if requests arrive one by one. An event of level error or above is written at the end of its
   * turn, with all before it. Gathered lines are written by `flush`, `close` and when the process exits,
   * also after an uncaught exception; they are lost when the process is killed (SIGKILL, out of memory, a
   * signal that it does not handle). At most 1000. Default: 0, lines are written at the end of the turn.
   */
  readonly gather?: number | undefined;
}

/** Maximum number of waiting lines of an async sink, unless its options set another. */
export const DEFAULT_ASYNC_LINES = 1024;

/** The bound of an async sink; undefined for a sink that is not async. */
export function maxLinesOf({ async }: Pick<SinkOptions, 'async'>): number | undefined {
  if (async === undefined || async === false) return undefined;
  return async === true || !(async > 0) ? DEFAULT_ASYNC_LINES : async;
}

/** Background writes: true or false, or the maximum number of waiting lines. */
const ASYNC: Option<boolean | number> = option(
  'true, false or an integer',
  (value) => typeof value === 'boolean' || Number.isSafeInteger(value),
  { type: ['boolean', 'integer'] },
);

const MAX_GATHER_MS = 1_000;

/** The allowed values of `gather`. */
export const GATHER: Option<number> = wholeNumber({ min: 0, max: MAX_GATHER_MS });

/** The allowed values of each option that every sink has. */
export const SINK_OPTIONS = {
  minLevel: LEVEL,
  maxLevel: LEVEL,
  format: FORMAT_CHOICE,
  layout: LAYOUT,
  timeFormat: TIME_FORMAT,
  async: ASYNC,
} satisfies OptionTable<SinkOptions>;

/**
 * The options of a type of sink, read by its table.
 *
 * @throws OptionsError with every mistake, including those of `check`.
 */
export function readSinkOptions<T extends AnyTable>(
  kind: string,
  table: T,
  options: unknown,
  check: (mistakes: Mistakes) => void = () => {},
): ReadOptions<T> {
  const mistakes = new Mistakes();
  check(mistakes);
  const read = readOptions(table, options, '', mistakes);
  mistakes.throwIfAny((found) => new OptionsError(`logx: ${kind} sink`, found));
  return read;
}

/**
 * The part of a {@link SinkSpec} that is the same for every type of sink.
 *
 * @param target where it writes, if that can be a terminal.
 */
export function specOf(
  kind: string,
  read: ReadOptions<Omit<typeof SINK_OPTIONS, 'async'>>,
  open: SinkSpec['open'],
  target?: FormatTarget,
): SinkSpec {
  const { format: choice = 'json' } = read;
  const format = chosenFormat(choice, target);
  const layout = chosenLayout(read.layout, choice, format);
  return { kind, format, ...optionalParts({ ...read, layout }), open };
}
