import { CLOSE_LAST, type CloseLast, RELOADABLE, type Reloadable } from '@apix/contracts';
import type { OnApplicationShutdown } from '@nestjs/common';
import { lendDefaultLogger } from '../context/default-logger.js';
import { Level } from '../levels/level.js';
import { LevelTree } from '../levels/level-tree.js';
import { EventLogger } from '../logger/event-logger.js';
import type { Logger } from '../logger/logger.js';
import { documentOf, isCreatedHere } from './logger-source.js';
import type { LogxModuleOptions } from './logx-module-options.js';

/**
 * Makes the logger the default as long as the app runs, reads its levels again on a reload, and closes it
 * last: when the host has stopped everything else, or without a host when the app has.
 */
// Why: docs/decisions/0394
export class LoggerLife implements CloseLast, Reloadable, OnApplicationShutdown {
  readonly [CLOSE_LAST] = true as const;
  readonly [RELOADABLE] = true as const;
  readonly name = 'logx';
  readonly #leaveDefault: () => void;

  constructor(
    private readonly logger: Logger,
    private readonly options: LogxModuleOptions,
  ) {
    this.#leaveDefault = lendDefaultLogger(logger);
  }

  /**
   * Levels by name that were set in code stay.
   *
   * @throws ConfigError when the document has become wrong; the levels then stay as they are.
   */
  reload(): void {
    const { levels } = this.logger;
    const document = documentOf(this.options);
    if (document === undefined || !(levels instanceof LevelTree)) return;
    levels.configure(document.level ?? Level.Information, document.levels ?? {});
  }

  /** Other code may still log after it. */
  onApplicationShutdown(): Promise<void> {
    return this.logger.flush();
  }

  /** The logger that was given may be a child of the one that can be closed. */
  async closeLast(): Promise<void> {
    this.#leaveDefault();
    const { root } = this.logger;
    await (root instanceof EventLogger && !this.#isGiven ? root.retire() : root.close());
  }

  /** Without a host, the code that created the logger may log with it after the app. */
  async closeWithApp(): Promise<void> {
    if (!this.#isGiven) return this.closeLast();
    this.#leaveDefault();
    await this.logger.flush();
  }

  get #isGiven(): boolean {
    return !isCreatedHere(this.logger);
  }
}
