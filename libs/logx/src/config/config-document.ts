import type { EcsOptions } from '../encode/ecs-options.js';
import type { TimeFormat } from '../encode/time-format.js';
import type { LevelInput } from '../levels/level.js';
import type { BufferOptions } from '../logger/buffer-options.js';
import type { ProbeLog } from '../request/request-level.js';
import type { Rotation } from '../sinks/rotation.js';
import type { Format } from '../sinks/sink.js';

/** The content of a configuration document, as JSON or YAML; every key is optional. */
export interface ConfigDocument {
  /** Minimum level, such as `debug`; in a file in any case. Default: `information`. */
  readonly level?: LevelInput | undefined;
  /** Whether events carry the rendered `message`. Default: true. */
  readonly render?: boolean | undefined;
  /** Adds `caller`. Default: false. */
  readonly caller?: boolean | undefined;
  /** Adds `time`. Default: true. */
  readonly timestamp?: boolean | undefined;
  /** Captures `stack` on errors. Default: false. */
  readonly stackTrace?: boolean | undefined;
  /** Name of a time format. Default: RFC 3339. */
  readonly timeFormat?: TimeFormat | undefined;
  /** Additions of the `ecs` format. Default: only the logger's own fields are renamed. */
  readonly ecs?: EcsOptions | undefined;
  /** Fields of every event, such as `service: shop`. Default: none. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
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
  /** Default: `console` for a console, else `json`. */
  readonly format?: Format | undefined;
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
