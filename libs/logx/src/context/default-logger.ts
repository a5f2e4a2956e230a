import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';

let current: Logger | undefined;

/** The logger of the package-level functions. At first it writes JSON to standard output. */
export function defaultLogger(): Logger {
  return (current ??= createLogger());
}

export function setDefaultLogger(logger: Logger): void {
  current = logger;
}
