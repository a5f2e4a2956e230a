import { LoggerCore } from './core.js';
import { EventLogger } from './event-logger.js';
import type { Logger } from './logger.js';
import type { LoggerOptions } from './logger-options.js';
import { type ResolvedLoggerOptions, resolveOptions } from './resolve-options.js';

/**
 * A logger with its sinks opened; without `sinks` it writes JSON to standard output.
 *
 * @throws OptionsError with every wrong option, Error when a sink cannot be opened.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  return loggerWith(resolveOptions(options));
}

/** The logger of options that are checked. @throws Error when a sink cannot be opened. */
export function loggerWith(options: ResolvedLoggerOptions): Logger {
  const core = new LoggerCore(options);
  return EventLogger.root(core, core.stackTrace, options.fields);
}
