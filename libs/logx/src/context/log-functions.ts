import type { Boundary } from '../event/caller.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { defaultLogger } from './default-logger.js';
import { ctx, fromContext } from './logger-context.js';

type Log = (template: string, ...args: readonly unknown[]) => void;
type LogError = (error: unknown, template: string, ...args: readonly unknown[]) => void;

/** With the default logger. */
export const verbose: Log = onDefault(Level.Verbose);
/** With the default logger. */
export const debug: Log = onDefault(Level.Debug);
/** With the default logger. */
export const information: Log = onDefault(Level.Information);
/** With the default logger; the same as `information`. */
export const info: Log = onDefault(Level.Information);
/** With the default logger. */
export const warning: Log = onDefault(Level.Warning);
/** With the default logger. */
export const error: LogError = errorOnDefault(Level.Error);
/** With the default logger: logs, flushes the sinks, then exits with code 1. */
export const fatal: LogError = errorOnDefault(Level.Fatal);

/** A child of the default logger, with one more field. */
export function forContext(name: string, value: unknown): Logger {
  return defaultLogger().forContext(name, value);
}

/** With the logger that `ctx` gives. */
export const verboseCtx: Log = onContext(Level.Verbose);
/** With the logger that `ctx` gives. */
export const debugCtx: Log = onContext(Level.Debug);
/** With the logger that `ctx` gives. */
export const informationCtx: Log = onContext(Level.Information);
/** With the logger that `ctx` gives; the same as `informationCtx`. */
export const infoCtx: Log = onContext(Level.Information);
/** With the logger that `ctx` gives. */
export const warningCtx: Log = onContext(Level.Warning);
/** With the logger that `ctx` gives. */
export const errorCtx: LogError = errorOnContext(Level.Error);
/** With the logger that `ctx` gives: logs, flushes the sinks, then exits with code 1. */
export const fatalCtx: LogError = errorOnContext(Level.Fatal);

function onDefault(level: Level): Log {
  return function log(template, ...args) {
    const logger = defaultLogger();
    if (logger.enabled(level)) logger.write({ level, template, args, boundary: log });
  };
}

function errorOnDefault(level: Level): LogError {
  return function log(thrown, template, ...args) {
    writeError(defaultLogger(), level, thrown, template, args, log);
  };
}

function onContext(level: Level): Log {
  return function log(template, ...args) {
    if (fromContext().enabled(level)) ctx().write({ level, template, args, boundary: log });
  };
}

function errorOnContext(level: Level): LogError {
  return function log(thrown, template, ...args) {
    writeError(ctx(), level, thrown, template, args, log);
  };
}

function writeError(
  logger: Logger,
  level: Level,
  thrown: unknown,
  template: string,
  args: readonly unknown[],
  boundary: Boundary,
): void {
  const exits = level === Level.Fatal;
  logger.write({ level, template, args, error: thrown, boundary, exits });
}
