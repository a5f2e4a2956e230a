import { type ConfigDocument } from '../config/config-document.js';
import type { GrpcLogOptions } from '../grpc/grpc-options.js';
import type { HttpLogOptions } from '../http/http-options.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';

/** The doors of the module. */
export interface LogxDoors {
  /** Events of HTTP requests; false: none, and no context. Default: `{}`. */
  readonly http?: HttpLogOptions | false | undefined;
  /** Events of gRPC calls; false: none, and no context. Default: `{}`. */
  readonly grpc?: GrpcLogOptions | false | undefined;
}

/** Where the module's logger comes from. */
export type LogxSource =
  /** A logger that exists; the module closes it, last of all. */
  | { readonly logger: Logger }
  /** A configuration document in JSON or YAML; its levels are read again on a reload. */
  | { readonly configFile: string }
  /** The configuration document itself. */
  | ConfigDocument
  /** What `createLogger` takes. */
  | LoggerOptions;

/** What `LogxModule.forRoot` takes: options of a logger or its document, and of the doors. */
export type LogxModuleOptions = LogxSource & LogxDoors;
