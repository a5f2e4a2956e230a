import { configOf, loadConfigFile } from '../config/load-config.js';
import type { Level } from '../levels/level.js';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import type { LoggerOptions } from '../logger/logger-options.js';
import type { LogxModuleOptions } from './logx-module-options.js';

/**
 * The logger that the options describe.
 *
 * @throws ConfigError for a wrong document, RangeError for a wrong option, Error when a sink
 * cannot be opened.
 */
export function loggerOf(options: LogxModuleOptions): Logger {
  const { http: _http, grpc: _grpc, ...source } = options;
  if ('logger' in source) return source.logger;
  if ('configFile' in source) return createLogger(loadConfigFile(source.configFile).options());
  return createLogger(isLoggerOptions(source) ? source : configOf(source).options());
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
