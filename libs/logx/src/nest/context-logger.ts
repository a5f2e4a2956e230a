import type { Deadline } from '@apix/contracts';
import type { Logger as PinoLogger } from 'pino';
import { loggerInContext, withContextFields } from '../context/logger-context.js';
import { Level, type LevelInput } from '../levels/level.js';
import type { Levels } from '../levels/level-tree.js';
import type { Logger, LogRequest } from '../logger/logger.js';

/**
 * A named logger that can be kept in a field: what it logs within a request or another unit of
 * work has the fields of that, those of the context extractors, and the name as the field `logger`.
 */
export class ContextLogger implements Logger {
  #base: Logger | undefined;
  #child!: Logger;

  constructor(
    private readonly root: Logger,
    private readonly name: string | undefined,
  ) {}

  verbose(template: string, ...args: readonly unknown[]): void {
    this.#current().verbose(template, ...args);
  }

  debug(template: string, ...args: readonly unknown[]): void {
    this.#current().debug(template, ...args);
  }

  information(template: string, ...args: readonly unknown[]): void {
    this.#current().information(template, ...args);
  }

  info(template: string, ...args: readonly unknown[]): void {
    this.#current().info(template, ...args);
  }

  warning(template: string, ...args: readonly unknown[]): void {
    this.#current().warning(template, ...args);
  }

  error(error: unknown, template: string, ...args: readonly unknown[]): void {
    this.#current().error(error, template, ...args);
  }

  fatal(error: unknown, template: string, ...args: readonly unknown[]): void {
    this.#current().fatal(error, template, ...args);
  }

  write(request: LogRequest): void {
    this.#current().write(request);
  }

  forContext(name: string, value: unknown): Logger {
    return this.#current().forContext(name, value);
  }

  forContextValues(values: Readonly<Record<string, unknown>>): Logger {
    return this.#current().forContextValues(values);
  }

  named(service: string): Logger {
    return this.#current().named(service);
  }

  withLevel(level: LevelInput): Logger {
    return this.#current().withLevel(level);
  }

  withStackTrace(on: boolean): Logger {
    return this.#current().withStackTrace(on);
  }

  enabled(level: Level): boolean {
    return this.#current().enabled(level);
  }

  get pino(): PinoLogger {
    return this.#current().pino;
  }

  get levels(): Levels {
    return this.root.levels;
  }

  flush(deadline?: Deadline): Promise<void> {
    return this.root.flush(deadline);
  }

  /** Always rejects: the module closes the root logger, last of all. */
  close(): Promise<void> {
    return Promise.reject(
      new Error('logx: only the root logger can be closed, not one that was injected'),
    );
  }

  /** The child of the logger of this moment; of the last one it is remembered. */
  #current(): Logger {
    const base = loggerInContext() ?? this.root;
    if (base !== this.#base) {
      this.#child = this.name === undefined ? base : base.forContext('logger', this.name);
      this.#base = base;
    }
    return withContextFields(this.#child);
  }
}
