import { consoleSink } from '../sinks/standard-sinks.js';
import { createLogger } from './create-logger.js';
import type { Logger } from './logger.js';
import type { LoggerOptions } from './logger-options.js';

/**
 * A logger for development: everything from debug up, for human readers, on standard output, with stacks on
 * errors; in colours on a terminal. Every option can be set to another value.
 */
export function createConsoleLogger(options: LoggerOptions = {}): Logger {
  return createLogger({ level: 'debug', stackTrace: true, sinks: [consoleSink()], ...options });
}
