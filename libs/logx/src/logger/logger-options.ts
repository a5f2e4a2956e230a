import type { Clock } from '@apix/contracts';
import type { SinkDocument } from '../config/config-document.js';
import type { EcsOptions } from '../encode/ecs-options.js';
import type { TimeFormat } from '../encode/time-format.js';
import type { LevelInput } from '../levels/level.js';
import type { RedactOptions } from '../redact/redact-options.js';
import type { SinkSpec } from '../sinks/sink.js';
import type { ValueLimits } from '../value/value-limits.js';
import type { BufferOptions } from './buffer-options.js';
import type { Enricher } from './enrichers.js';
import type { Sampler } from './sampling.js';
import type { SamplingOptions } from './sampling-option.js';

/** The options of `createLogger`. */
export interface LoggerOptions {
  /** Minimum level, as a value or by name. Default: information. */
  readonly level?: LevelInput | undefined;
  /**
   * Minimum levels of loggers by name, such as `{ orders: 'debug', 'orders.mail': 'warning' }`; see
   * `named`. A name also applies to the names that continue it after a dot; the longest applies. Default:
   * none.
   */
  readonly levels?: Readonly<Record<string, LevelInput | null | undefined>> | undefined;
  /** Whether lines contain the rendered `message`. Default: true. */
  readonly renderedMessage?: boolean | undefined;
  /** Adds `caller`, the place of the call; costs some microseconds per event. Default: false. */
  readonly caller?: boolean | undefined;
  /** Whether lines contain the time. Default: true. */
  readonly timestamp?: boolean | undefined;
  /** Adds `stack` on Error and Fatal. Default: false. */
  readonly stackTrace?: boolean | undefined;
  /**
   * How times are written, in UTC: a name, or a layout such as `'2006-01-02 15:04:05.000'`. Default: RFC 3339 with whole
   * seconds, `'TimeRFC3339'`.
   */
  readonly timeFormat?: TimeFormat | undefined;
  /** Additions of the `ecs` format. Default: only the logger's own fields are renamed. */
  readonly ecs?: EcsOptions | undefined;
  /**
   * The destinations of events: sinks, such as `consoleSink()`, and entries such as those of a
   * configuration document, `{ type: 'console' }`. Default: JSON on standard output.
   */
  readonly sinks?: readonly (SinkSpec | SinkDocument)[] | undefined;
  /**
   * Called for every failure of a sink. Errors that it throws are dropped. Default: none; a sink's failure is
   * then not reported, but a sink that has dropped lines and goes on writes an event with their number.
   */
  readonly errorHandler?: ((error: Error) => void) | undefined;
  /**
   * Flood control, applied after the level; fatal events are always logged: `everyN(10)`, or the same as
   * data, `{ every: 10 }`. Default: none.
   */
  readonly sampling?: Sampler | SamplingOptions | undefined;
  /** How much of a value is logged. Default: 10 levels of depth, 10,000 items, texts in full. */
  readonly limits?: ValueLimits | undefined;
  /** Fields of every event, such as `{ service: 'shop', version: '1.2' }`. Default: none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Fields of every event that describe the process, as OpenTelemetry names them: `host` (`host.name`), `pid`
   * (`process.pid`), `version` (`service.version`) and `environment` (`deployment.environment.name`). `fields`
   * takes precedence. Default: none.
   */
  readonly enrich?: readonly Enricher[] | undefined;
  /** Fields, or parts of them, that are hidden, by path. Default: none. */
  readonly redact?: readonly string[] | RedactOptions | undefined;
  /**
   * Keeps events below the level for each request, message and job, and writes them, with the field
   * `buffered`, if that fails or is slow. True: with all defaults. Default: false.
   */
  readonly bufferOnFailure?: boolean | BufferOptions | undefined;
  /** The source of the events' time, and of the rotation of files. Default: the machine's clock. */
  readonly clock?: Clock | undefined;
}
