import { consoleSink } from '../sinks/standard-sinks.js';
import { createLogger } from './create-logger.js';
import type { Logger } from './logger.js';
import type { LoggerOptions } from './logger-options.js';

/**
 * A logger for development: everything from debug up, for the eyes, on standard output, with
 * stacks on errors; in colours on a terminal. Any option can be set otherwise.
 */
export function createConsoleLogger(options: LoggerOptions = {}): Logger {
  return createLogger({ level: 'debug', stackTrace: true, sinks: [consoleSink()], ...options });
}
