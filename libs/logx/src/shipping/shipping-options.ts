import { type Clock, Mistakes, OptionsError } from '@apix/contracts';
import {
  anyValue,
  arrayOf,
  callable,
  choice,
  CLOCK,
  foreignObject,
  limit,
  type OptionTable,
  readOptions,
  required,
  STRING,
  TEXT,
} from '@apix/contracts/internal';
import { TIME_FORMAT } from '../encode/time-format.js';
import { type Format, FORMATS, type SinkSpec } from '../sinks/sink.js';
import { SINK_OPTIONS, type SinkOptions } from '../sinks/sink-options.js';
import type { Shipper, ShippingContext } from './shipper.js';
import type { ShippingMetrics } from './shipping-readings.js';

/** The parts of a {@link ShippingSink} that depend on its destination. */
export interface ShippingSinkOptions<F extends string = never> {
  /** The prefix of every error, such as `logx-elastic`. */
  readonly packageName: string;
  /** Names the sink in errors and health checks, such as `elasticsearch`. */
  readonly kind: string;
  /** The destination of the events, such as an index or an address; shown with the kind. */
  readonly target: string;
  /** The encoding of the lines. Default: `'json'`. */
  readonly format?: Format | undefined;
  /** The time formats that the destination understands; see `SinkSpec`. Default: all. */
  readonly timeFormats?: SinkSpec['timeFormats'];
  readonly metrics: ShippingMetrics;
  /** Creates the shipper, which sends the events. Called once, by the constructor. */
  readonly ship: (context: ShippingContext) => Shipper<F>;
  /** The options that the user of the sink may set, as for other sinks. Default: none. */
  readonly sinkOptions?:
    Pick<SinkOptions, 'minLevel' | 'maxLevel' | 'timeFormat' | 'async'> | undefined;
  /** Which health check fails while nothing can be sent. Default: none. */
  readonly health?: 'ready' | 'live' | undefined;
  /**
   * Called for every failure; must not log through this sink. Default: the error handler of the
   * first logger that opens it.
   */
  readonly onError?: ((error: Error) => void) | undefined;
  /** How long `flush` and `close` take at most, in milliseconds, even with a later deadline. Default: no limit. */
  readonly limitMs?: number | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

const SHIPPING_SINK_OPTIONS = {
  packageName: required(TEXT, 'logx'),
  kind: required(TEXT, 'shipping'),
  target: required(STRING, ''),
  format: choice(FORMATS),
  timeFormats: arrayOf(TIME_FORMAT),
  metrics: required<object>(foreignObject(), {}),
  ship: required(callable(), undefined),
  // Read below: its mistakes are named as the user of the sink names its options.
  sinkOptions: anyValue<object>(),
  health: choice(['ready', 'live']),
  onError: callable(),
  limitMs: limit(),
  clock: CLOCK,
} satisfies OptionTable<ShippingSinkOptions>;

const { minLevel, maxLevel, timeFormat, async } = SINK_OPTIONS;

/** @throws OptionsError that lists every mistake, also in the options of the user. */
export function readShippingOptions(options: ShippingSinkOptions<string>) {
  const mistakes = new Mistakes();
  const own = readOptions(SHIPPING_SINK_OPTIONS, options, '', mistakes);
  const { packageName, kind, sinkOptions = {} } = own;
  const read = readOptions({ minLevel, maxLevel, timeFormat, async }, sinkOptions, '', mistakes);
  mistakes.throwIfAny((found) => new OptionsError(`${packageName}: ${kind} sink`, found));
  return read;
}
