import { Mistakes } from '@apix/contracts';
import { configOf, loadConfigFile } from '../config/load-config.js';
import { readGrpcOptions } from '../grpc/grpc-options.js';
import { readHttpOptions } from '../http/http-options.js';
import type { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import { resolveOptions } from '../logger/resolve-options.js';
import type { LogxModuleOptions, LogxSource } from './logx-module-options.js';

/**
 * The logger that the options describe.
 *
 * @throws ConfigError for a wrong document, OptionsError with every wrong option, those of `http`
 * and `grpc` included, Error when a sink cannot be opened.
 */
export function loggerOf({ http, grpc, ...source }: LogxModuleOptions): Logger {
  const mistakes = new Mistakes();
  if (http !== false) readHttpOptions(http, 'http', mistakes);
  if (grpc !== false) readGrpcOptions(grpc, 'grpc', mistakes);
  const options = 'logger' in source ? {} : loggerOptionsOf(source);
  // No sink is opened where something else is wrong.
  if (mistakes.found.length > 0) resolveOptions(options, mistakes);
  return 'logger' in source ? source.logger : createLogger(options);
}

function loggerOptionsOf(source: Exclude<LogxSource, { readonly logger: Logger }>): LoggerOptions {
  if ('configFile' in source) return loadConfigFile(source.configFile).options();
  return isLoggerOptions(source) ? source : configOf(source).options();
}

/** The level that a configuration file gives by now; undefined where there is none. */
export function levelInFile(options: LogxModuleOptions): Level | undefined {
  return 'configFile' in options ? loadConfigFile(options.configFile).level : undefined;
}

/** Sinks of a document are told by their `type`, those of options are opened. */
function isLoggerOptions(source: object): source is LoggerOptions {
  if (!('sinks' in source) || !Array.isArray(source.sinks)) return !('render' in source);
  return source.sinks.every((sink: unknown) => isObject(sink) && 'open' in sink);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
