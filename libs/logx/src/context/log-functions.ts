import type { Boundary } from '../event/caller.js';
import { Level } from '../levels/level.js';
import { formOf } from '../logger/call-form.js';
import type { Logger, LogMethod } from '../logger/logger.js';
import { defaultLogger } from './default-logger.js';
import { ctx, fromContext } from './logger-context.js';

/** With the default logger. */
export const verbose: LogMethod = onDefault(Level.Verbose);
/** With the default logger. */
export const debug: LogMethod = onDefault(Level.Debug);
/** With the default logger. */
export const information: LogMethod = onDefault(Level.Information);
/** With the default logger; the same as `information`. */
export const info: LogMethod = onDefault(Level.Information);
/** With the default logger. */
export const warning: LogMethod = onDefault(Level.Warning);
/** With the default logger; the same as `warning`. */
export const warn: LogMethod = onDefault(Level.Warning);
/** With the default logger. */
export const error: LogMethod = onDefault(Level.Error);
/** With the default logger: logs, flushes the sinks, then exits with code 1. */
export const fatal: LogMethod = onDefault(Level.Fatal);

/** A child of the default logger, with one more field. */
export function forContext(name: string, value: unknown): Logger {
  return defaultLogger().forContext(name, value);
}

/** With the logger that `ctx` returns. */
export const verboseCtx: LogMethod = onContext(Level.Verbose);
/** With the logger that `ctx` returns. */
export const debugCtx: LogMethod = onContext(Level.Debug);
/** With the logger that `ctx` returns. */
export const informationCtx: LogMethod = onContext(Level.Information);
/** With the logger that `ctx` returns; the same as `informationCtx`. */
export const infoCtx: LogMethod = onContext(Level.Information);
/** With the logger that `ctx` returns. */
export const warningCtx: LogMethod = onContext(Level.Warning);
/** With the logger that `ctx` returns; the same as `warningCtx`. */
export const warnCtx: LogMethod = onContext(Level.Warning);
/** With the logger that `ctx` returns. */
export const errorCtx: LogMethod = onContext(Level.Error);
/** With the logger that `ctx` returns: logs, flushes the sinks, then exits with code 1. */
export const fatalCtx: LogMethod = onContext(Level.Fatal);

function onDefault(level: Level): LogMethod {
  return function log(first: unknown, ...args: unknown[]) {
    const logger = defaultLogger();
    if (logger.enabled(level)) write(logger, level, log, first, args);
    else if (level === Level.Fatal) exit(logger, level);
  };
}

function onContext(level: Level): LogMethod {
  return function log(first: unknown, ...args: unknown[]) {
    const logger = fromContext();
    if (logger.enabled(level)) write(ctx(), level, log, first, args);
    else if (level === Level.Fatal) exit(logger, level);
  };
}

function write(
  logger: Logger,
  level: Level,
  boundary: Boundary,
  first: unknown,
  args: unknown[],
): void {
  const exits = level === Level.Fatal;
  logger.write({ level, boundary, exits, ...formOf(level, first, args) });
}

/** Below the logger's level, `fatal` logs nothing, but it still exits. */
function exit(logger: Logger, level: Level): void {
  logger.write({ level, text: '', exits: true });
}
