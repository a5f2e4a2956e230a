import type { Deadline } from '@apix/contracts';
import type { Logger as PinoLogger } from 'pino';
import { loggerInContext, withContextFields } from '../context/logger-context.js';
import type { Boundary } from '../event/caller.js';
import { Level, type LevelInput } from '../levels/level.js';
import type { Levels } from '../levels/level-tree.js';
import { formOf } from '../logger/call-form.js';
import type { LevelMethod, Logger, LogRequest } from '../logger/logger.js';

/**
 * A named logger that can be kept in a field: its events within a request or another unit of work have the
 * fields of that work, those of the context extractors, and the name as the field `logger`.
 */
export class ContextLogger implements Logger {
  #known: Logger | undefined;
  #child!: Logger;

  constructor(
    private readonly base: Logger,
    private readonly name: string | undefined,
  ) {}

  verbose(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Verbose, METHODS.verbose, first, args);
  }

  debug(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Debug, METHODS.debug, first, args);
  }

  information(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Information, METHODS.information, first, args);
  }

  info(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Information, METHODS.info, first, args);
  }

  log(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Information, METHODS.log, first, args);
  }

  warning(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Warning, METHODS.warning, first, args);
  }

  warn(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Warning, METHODS.warn, first, args);
  }

  error(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Error, METHODS.error, first, args);
  }

  fatal(first: unknown, ...args: unknown[]): void {
    this.#log(Level.Fatal, METHODS.fatal, first, args);
  }

  write(request: LogRequest): void {
    this.current.write(request);
  }

  forContext(name: string, value: unknown): Logger {
    return this.current.forContext(name, value);
  }

  forContextValues(values: Readonly<Record<string, unknown>>): Logger {
    return this.current.forContextValues(values);
  }

  named(service: string): Logger {
    return this.current.named(service);
  }

  withLevel(level: LevelInput): Logger {
    return this.current.withLevel(level);
  }

  withStackTrace(on: boolean): Logger {
    return this.current.withStackTrace(on);
  }

  enabled(level: Level): boolean {
    return this.current.enabled(level);
  }

  get pino(): PinoLogger {
    return this.current.pino;
  }

  get root(): Logger {
    return this.base.root;
  }

  get levels(): Levels {
    return this.base.levels;
  }

  flush(deadline?: Deadline): Promise<void> {
    return this.base.flush(deadline);
  }

  /** Always rejects: the module closes the root logger, last of all. */
  close(): Promise<void> {
    return Promise.reject(
      new Error('logx: only the root logger can be closed, not one that was injected'),
    );
  }

  /** The current logger gets the caller, because it would only see this class. */
  #log(level: Level, boundary: Boundary, first: unknown, args: unknown[]): void {
    const logger = this.current;
    const exits = level === Level.Fatal;
    if (!exits && !logger.enabled(level)) return;
    logger.write({ level, boundary, exits, ...formOf(level, first, args) });
  }

  /** The child of the current logger; the child of the last logger is kept. */
  get current(): Logger {
    const base = loggerInContext() ?? this.base;
    if (base !== this.#known) {
      this.#child = this.name === undefined ? base : base.forContext('logger', this.name);
      this.#known = base;
    }
    return withContextFields(this.#child);
  }
}

/** The methods that log: an event's caller is the caller of one of them. */
const METHODS: Readonly<Record<LevelMethod, Boundary>> = ContextLogger.prototype;
