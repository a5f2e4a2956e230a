import { AsyncLocalStorage } from 'node:async_hooks';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';

const current = new AsyncLocalStorage<Logger>();
let fallback: Logger | undefined;

/** The logger that is used where nothing else is said; at first JSON on standard output. */
export function defaultLogger(): Logger {
  return (fallback ??= createLogger());
}

/** Sets the default logger and returns the one before. */
export function setDefaultLogger(logger: Logger | undefined): Logger | undefined {
  const before = fallback;
  fallback = logger;
  return before;
}

/** Runs `fn`, and all that it starts, with a logger that `fromContext` finds there. */
export function runWithLogger<T>(logger: Logger, fn: () => T): T {
  return current.run(logger, fn);
}

/** The logger of the unit of work that this runs in, else the default one. */
export function fromContext(): Logger {
  return current.getStore() ?? defaultLogger();
}

/** The logger of the unit of work that this runs in; undefined outside of any. */
export function loggerInContext(): Logger | undefined {
  return current.getStore();
}
