import { thrownText } from '@apix/contracts';
import { Logger as NestLogger, type LoggerService, type LogLevel } from '@nestjs/common';
import type { Boundary } from '../event/caller.js';
import { Level } from '../levels/level.js';
import type { Logger, LogRequest } from '../logger/logger.js';
import { membersOf } from '../value/members-of.js';
import { isReadableError, safely, safeText } from '../value/safely.js';
import { ContextLogger } from './context-logger.js';
import { type LoggerArguments, splitArguments, splitErrorArguments } from './logger-arguments.js';

/** Nest's contexts are usually names of classes; texts created at run time must not accumulate. */
const MAX_CONTEXTS = 1000;

const LEVELS: Readonly<Record<LogLevel, Level>> = {
  verbose: Level.Verbose,
  debug: Level.Debug,
  log: Level.Information,
  warn: Level.Warning,
  error: Level.Error,
  fatal: Level.Fatal,
};

/**
 * A logger for Nest, for `app.useLogger(app.get(LogxLoggerService))`: messages of Nest and its `Logger`
 * become events, with Nest's context as the field `logger`.
 *
 * A message with arguments is a template, `logger.log('Sold {Count} items', 3)`; without arguments it
 * is logged unchanged. `fatal` does not exit.
 */
export class LogxLoggerService implements LoggerService {
  readonly #loggers = new Map<string | undefined, ContextLogger>();

  constructor(private readonly root: Logger) {}

  log(message: unknown, ...params: readonly unknown[]): void {
    this.#write('log', message, splitArguments(params));
  }

  warn(message: unknown, ...params: readonly unknown[]): void {
    this.#write('warn', message, splitArguments(params));
  }

  debug(message: unknown, ...params: readonly unknown[]): void {
    this.#write('debug', message, splitArguments(params));
  }

  verbose(message: unknown, ...params: readonly unknown[]): void {
    this.#write('verbose', message, splitArguments(params));
  }

  error(message: unknown, ...params: readonly unknown[]): void {
    this.#write('error', message, splitErrorArguments(params));
  }

  fatal(message: unknown, ...params: readonly unknown[]): void {
    this.#write('fatal', message, splitErrorArguments(params));
  }

  /** Uses the lowest of the levels; single levels above it cannot be left out. */
  setLogLevels(levels: LogLevel[]): void {
    const lowest = Math.min(...levels.map((level) => LEVELS[level]));
    this.root.levels.set(Object.values(Level).find((level) => level === lowest) ?? Level.Fatal);
  }

  #write(method: LogLevel, message: unknown, { context, stack, rest }: LoggerArguments): void {
    const level = LEVELS[method];
    const logger = this.#loggerOf(context).current;
    if (!logger.enabled(level)) return;
    const boundary = BOUNDARIES[method];
    if (typeof message === 'string' && rest.length === 0 && stack === undefined) {
      return logger.write({ level, boundary, text: message });
    }
    const error = errorOf(message, rest, stack);
    const request: LogRequest = { level, boundary, ...contentOf(message, rest), error };
    (error === undefined ? logger : logger.withStackTrace(true)).write(request);
  }

  #loggerOf(context: string | undefined): ContextLogger {
    const known = this.#loggers.get(context);
    if (known !== undefined) return known;
    const logger = new ContextLogger(this.root, context);
    if (this.#loggers.size >= MAX_CONTEXTS) this.#loggers.clear();
    this.#loggers.set(context, logger);
    return logger;
  }
}

/** The error of a call: Nest passes it as the message, as an argument, or as the text of its stack. */
function errorOf(message: unknown, rest: readonly unknown[], stack: string | undefined): unknown {
  if (isReadableError(message)) return message;
  const among = rest.find(isReadableError);
  if (among !== undefined) return among;
  return stack === undefined ? undefined : new StackText(safeText(message), stack);
}

/** An error of which only the stack's text is known; it is logged, never thrown. */
class StackText extends Error {
  constructor(message: string, stack: string) {
    super(message);
    this.stack = stack;
  }
}

type Content = Pick<LogRequest, 'text' | 'template' | 'args' | 'fields'>;

function contentOf(message: unknown, rest: readonly unknown[]): Content {
  if (typeof message === 'string') {
    const args = rest.filter((value) => !isReadableError(value));
    return args.length === 0 ? { text: message } : { template: message, args };
  }
  if (isReadableError(message)) return { text: thrownText(message), fields: extraFields(rest) };
  if (isRecord(message)) {
    const members = Object.fromEntries(membersOf(message));
    const { message: text, ...fields } = members;
    return typeof text === 'string'
      ? { text, fields: { ...fields, ...extraFields(rest) } }
      : { text: '', fields: { ...members, ...extraFields(rest) } };
  }
  return { text: safeText(message), fields: extraFields(rest) };
}

/** Arguments next to a message that is not text, under the names that surplus ones have. */
function extraFields(rest: readonly unknown[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(rest.map((value, i) => [`extra_${i}`, value]));
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false;
  // A revoked proxy throws even here.
  return safely(
    () => !Array.isArray(value),
    () => false,
  );
}

/** The app calls Nest's Logger, as an instance or the class, which calls the service. */
const BOUNDARIES: Readonly<Record<LogLevel, readonly Boundary[]>> = {
  verbose: boundariesOf('verbose'),
  debug: boundariesOf('debug'),
  log: boundariesOf('log'),
  warn: boundariesOf('warn'),
  error: boundariesOf('error'),
  fatal: boundariesOf('fatal'),
};

function boundariesOf(method: LogLevel): readonly Boundary[] {
  const layers: readonly Readonly<Record<LogLevel, Boundary>>[] = [
    NestLogger.prototype,
    NestLogger,
    LogxLoggerService.prototype,
  ];
  return layers.map((layer) => layer[method]);
}
