import type { Config } from '../config/config.js';
import type { ConfigDocument } from '../config/config-document.js';
import type { GrpcLogOptions } from '../grpc/grpc-options.js';
import type { HttpLogOptions } from '../http/http-options.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import type { MessageLogOptions } from '../request/message-options.js';
import type { ProbeLog } from '../request/request-level.js';
import type { WiringLevel } from './nest-wiring.js';

/** The entry points of the module. */
export interface LogxDoors {
  /** Events of HTTP requests; false: no events, and no context. Default: `{}`. */
  readonly http?: HttpLogOptions | false | undefined;
  /** Events of gRPC calls; false: no events, and no context. Default: `{}`. */
  readonly grpc?: GrpcLogOptions | false | undefined;
  /**
   * Events of messages, of handlers of `@MessagePattern` and `@EventPattern`; false: no events. Default: `{}`.
   */
  readonly messages?: MessageLogOptions | false | undefined;
  /**
   * How probes are logged, at each entry point that does not set it itself: `all`, `debug` or `off`.
   * Default: that of the configuration document, else `'all'`.
   */
  readonly probes?: ProbeLog | undefined;
}

/** What of Nest's own lines is written. */
export interface LogxNestLines {
  /**
   * The level of the lines in which Nest reports each module, controller and route (`InstanceLoader`,
   * `RoutesResolver`, `RouterExplorer`, `WebSocketsController`). With `debug`, one line of level information counts
   * those that are not written. A context that has a level in `levels` keeps its lines. Default: `debug`.
   */
  readonly wiring?: WiringLevel | undefined;
}

/** The options of `createLogger`, with their names in code or in a configuration document. */
export interface LogxLoggerOptions extends LoggerOptions {
  /** The same as `renderedMessage`. */
  readonly render?: boolean | undefined;
}

/** A configuration document, or a function that returns the current one. */
export type LogxConfig = Config | (() => Config | ConfigDocument | null | undefined);

/** Options that cannot be given next to others. */
type Absent<K extends PropertyKey> = { readonly [Name in K]?: undefined };

/** Where the module's logger comes from: one of these. */
export type LogxSource =
  /**
   * An existing logger, or a child of one. A host closes it with all loggers of its tree, last of all; without
   * a host it is only flushed.
   */
  | ({ readonly logger: Logger } & Absent<keyof LogxLoggerOptions | 'configFile' | 'config'>)
  /** A configuration document in JSON or YAML; its levels are read again on a reload. */
  | ({ readonly configFile: string } & Absent<keyof LogxLoggerOptions | 'logger' | 'config'>)
  /**
   * A document that was read with `loadConfig` and the like, or a function that returns the current one, such as a
   * part of the app's configuration: called at the start and, for the level, on each reload. Undefined and null
   * are a document without settings.
   */
  | ({ readonly config: LogxConfig } & Absent<keyof LogxLoggerOptions | 'logger' | 'configFile'>)
  /** The options of a logger, or those of a configuration document. */
  | (LogxLoggerOptions & Absent<'logger' | 'configFile' | 'config'>);

/** The options of `LogxModule.forRoot`: those of a logger or its document, and of the request logs. */
export type LogxModuleOptions = LogxSource & LogxDoors & LogxNestLines;
