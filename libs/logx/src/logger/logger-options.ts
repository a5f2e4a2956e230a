import type { Clock } from '@apix/contracts';
import type { SinkDocument } from '../config/config-document.js';
import type { EcsOptions } from '../encode/ecs-options.js';
import type { TimeFormat } from '../encode/time-format.js';
import type { LevelInput } from '../levels/level.js';
import type { RedactOptions } from '../redact/redact-options.js';
import type { SinkSpec } from '../sinks/sink.js';
import type { ValueLimits } from '../value/value-limits.js';
import type { BufferOptions } from './buffer-options.js';
import type { Sampler } from './sampling.js';

/** The options of `createLogger`. */
export interface LoggerOptions {
  /** Minimum level, as a value or by name. Default: information. */
  readonly level?: LevelInput | undefined;
  /** Whether lines contain the rendered `message`. Default: true. */
  readonly renderedMessage?: boolean | undefined;
  /** Adds `caller`, the place of the call; costs some microseconds per event. Default: false. */
  readonly caller?: boolean | undefined;
  /** Whether lines contain the time. Default: true. */
  readonly timestamp?: boolean | undefined;
  /** Adds `stack` on Error and Fatal. Default: false. */
  readonly stackTrace?: boolean | undefined;
  /** How times are written, in UTC. Default: RFC 3339 with whole seconds, `'TimeRFC3339'`. */
  readonly timeFormat?: TimeFormat | undefined;
  /** Additions of the `ecs` format. Default: only the logger's own fields are renamed. */
  readonly ecs?: EcsOptions | undefined;
  /**
   * The destinations of events: sinks, such as `consoleSink()`, and entries such as those of a
   * configuration document, `{ type: 'console' }`. Default: JSON on standard output.
   */
  readonly sinks?: readonly (SinkSpec | SinkDocument)[] | undefined;
  /**
   * Called for every failure of a sink. Errors that it throws are dropped. Default: none; a sink's failure
   * is then not reported.
   */
  readonly errorHandler?: ((error: Error) => void) | undefined;
  /** Flood control, applied after the level; fatal events are always logged. Default: none. */
  readonly sampling?: Sampler | undefined;
  /** How much of a value is logged. Default: 10 levels of depth, 10,000 items, texts in full. */
  readonly limits?: ValueLimits | undefined;
  /** Fields of every event, such as `{ service: 'shop', version: '1.2' }`. Default: none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Fields, or parts of them, that are hidden, by path. Default: none. */
  readonly redact?: readonly string[] | RedactOptions | undefined;
  /**
   * Keeps events below the level for each request, message and job, and writes them, with the field
   * `buffered`, if that fails or is slow. True: with all defaults. Default: false.
   */
  readonly bufferOnFailure?: boolean | BufferOptions | undefined;
  /** The source of the events' time. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}
