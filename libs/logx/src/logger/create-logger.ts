import { LoggerCore } from './core.js';
import { EventLogger } from './event-logger.js';
import type { Logger } from './logger.js';
import type { LoggerOptions } from './logger-options.js';

/**
 * A logger with its sinks opened; without `sinks` it writes JSON to standard output.
 *
 * @throws OptionsError with every wrong option, Error when a sink cannot be opened.
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const core = new LoggerCore(options);
  return EventLogger.root(core, core.stackTrace);
}
