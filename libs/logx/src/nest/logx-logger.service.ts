import {
  Logger as NestLogger,
  type LoggerService,
  type LogLevel,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Boundary } from '../event/caller.js';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { recordInContext } from '../request/request-record.js';
import { ContextLogger } from './context-logger.js';
import { type LoggerArguments, splitArguments, splitErrorArguments } from './logger-arguments.js';
import { contentOf } from './logger-content.js';
import { NestWiring, type WiringLevel } from './nest-wiring.js';

/** Nest's contexts are usually names of classes; texts created at run time must not accumulate. */
const MAX_CONTEXTS = 1000;

const HIDDEN =
  '{Lines} lines about modules and routes are at level debug; to see them, set the option wiring of LogxModule to ' +
  'information, or a level for InstanceLoader, RoutesResolver or RouterExplorer';

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
 * is logged unchanged. An error after them is the error of the event. A text in the last place is the context,
 * as everywhere in Nest. `fatal` does not exit.
 *
 * The lines in which Nest reports each module and route are of level debug, and one line counts those that are not
 * written; its warnings and errors keep their level.
 */
export class LogxLoggerService implements LoggerService, OnApplicationBootstrap {
  readonly #loggers = new Map<string | undefined, ContextLogger>();
  readonly #wiring: NestWiring;

  /** @param wiring the level of Nest's lines about its modules and routes. Default: `debug`. */
  constructor(
    private readonly root: Logger,
    wiring: WiringLevel = 'debug',
  ) {
    this.#wiring = new NestWiring(root.levels, wiring);
  }

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
    const level = method === 'log' ? this.#wiring.levelOf(context) : LEVELS[method];
    const logger = this.#loggerOf(context).current;
    this.#tellHidden(this.#wiring.takeBefore(context));
    if (!logger.enabled(level)) {
      if (level < LEVELS[method] && logger.enabled(LEVELS[method])) this.#wiring.hide();
      return;
    }
    const boundary = BOUNDARIES[method];
    if (typeof message === 'string' && rest.length === 0 && stack === undefined) {
      return logger.write({ level, boundary, text: message });
    }
    const { hasError, ...content } = contentOf(level, message, { rest, stack });
    const source = hasError ? logger.withStackTrace(true) : logger;
    if (hasError && level >= Level.Error) recordInContext()?.noteLogged(content.error);
    source.write({ level, boundary, ...content });
  }

  /** Nest has reported its modules and routes by now. */
  onApplicationBootstrap(): void {
    this.#tellHidden(this.#wiring.take());
  }

  #tellHidden(lines: number): void {
    if (lines > 0) this.#loggerOf('LogxModule').information(HIDDEN, lines);
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
