import type { EcsOptions } from '../encode/ecs-options.js';
import type { TimeFormat } from '../encode/time-format.js';
import type { LevelInput } from '../levels/level.js';
import type { BufferOptions } from '../logger/buffer-options.js';
import type { Enricher } from '../logger/enrichers.js';
import type { Sampler } from '../logger/sampling.js';
import type { SamplingOptions } from '../logger/sampling-option.js';
import type { RedactOptions } from '../redact/redact-options.js';
import type { ProbeLog } from '../request/request-level.js';
import type { Rotation } from '../sinks/rotation.js';
import type { FormatChoice } from '../sinks/auto-format.js';
import type { ValueLimits } from '../value/value-limits.js';

/** The content of a configuration document, as JSON or YAML; every key is optional. */
export interface ConfigDocument {
  /** Minimum level, such as `debug`; in a file in any case. Default: `information`. */
  readonly level?: LevelInput | undefined;
  /** Minimum levels by the names of loggers, such as `{ orders: debug }`. Default: none. */
  readonly levels?: Readonly<Record<string, LevelInput | null | undefined>> | undefined;
  /** Whether events carry the rendered `message`. Default: true. */
  readonly render?: boolean | undefined;
  /** Adds `caller`. Default: false. */
  readonly caller?: boolean | undefined;
  /** Adds `time`. Default: true. */
  readonly timestamp?: boolean | undefined;
  /** Captures `stack` on errors. Default: false. */
  readonly stackTrace?: boolean | undefined;
  /** Name of a time format, or a layout such as `2006-01-02 15:04:05.000`. Default: RFC 3339. */
  readonly timeFormat?: TimeFormat | undefined;
  /** Additions of the `ecs` format. Default: only the logger's own fields are renamed. */
  readonly ecs?: EcsOptions | undefined;
  /** Fields of every event, such as `service: shop`. Default: none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
  /** Fields of every event that describe the process. Default: none. */
  readonly enrich?: readonly Enricher[] | undefined;
  /** Which parts of fields are hidden: paths, or an object. Default: nothing is. */
  readonly redact?: readonly string[] | RedactOptions | undefined;
  /** Flood control: `{ every: 10 }`, or `{ burst: 100, period: 1s }`. Default: none. */
  readonly sampling?: Sampler | SamplingOptions | undefined;
  /** How much of a value is logged. Default: 10 levels of depth, 10,000 items, texts in full. */
  readonly limits?: ValueLimits | undefined;
  /** Keeps events below the level, and writes them if their work fails or is slow. Default: false. */
  readonly bufferOnFailure?: boolean | BufferOptions | undefined;
  /** How `LogxModule` logs probes: `all`, `debug` or `off`. Default: `all`. */
  readonly probes?: ProbeLog | undefined;
  /** Default: JSON on standard output. */
  readonly sinks?: readonly SinkDocument[] | undefined;
}

/** One sink of a {@link ConfigDocument}. */
export interface SinkDocument {
  /** `console`, `stdout`, `stderr`, `file`, or the name of a registered type, in any case. */
  readonly type: string;
  /** Console only: `stdout` or `stderr`. Default: `stdout`. */
  readonly target?: 'stdout' | 'stderr' | undefined;
  /** File only, and required there. */
  readonly path?: string | undefined;
  /** Minimum level of this sink. */
  readonly level?: LevelInput | undefined;
  /** The same as `level`. */
  readonly minLevel?: LevelInput | undefined;
  /** Maximum level of this sink; events above are left to other sinks. Default: no bound. */
  readonly maxLevel?: LevelInput | undefined;
  /**
   * A built-in format, or a name given to `registerFormat`. `auto` is `console` for standard output or error that
   * is a terminal, else `json`; for a registered type its default. Default: `console` for a console, else `json`.
   */
  readonly format?: FormatChoice | undefined;
  /** Layout of lines in the console format, such as `{time} {level} {message} {fields}`. */
  readonly layout?: string | undefined;
  /** Turns colours off. Default: false; a terminal has colours. */
  readonly noColor?: boolean | undefined;
  /** Not for registered types. Background writes: true, or how many lines wait at most. */
  readonly async?: boolean | number | undefined;
  /** Not for registered types. Milliseconds for which lines are gathered, 1000 at most. Default: 0. */
  readonly gather?: number | undefined;
  /** File only. */
  readonly rotation?: Rotation | undefined;
  /** Registered types only: whatever the type takes. */
  readonly options?: Readonly<Record<string, unknown>> | undefined;
}
