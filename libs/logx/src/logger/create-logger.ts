import { LoggerCore } from './core.js';
import { EventLogger } from './event-logger.js';
import type { Logger } from './logger.js';
import type { LoggerOptions } from './logger-options.js';

/**
 * A logger with its sinks opened; without `sinks` it writes JSON to standard output.
 *
 * @throws RangeError for a wrong option, Error when a sink cannot be opened.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  return EventLogger.root(new LoggerCore(options), options.stackTrace ?? false);
}
