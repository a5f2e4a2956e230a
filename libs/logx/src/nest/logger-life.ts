import { CLOSE_LAST, type CloseLast, RELOADABLE, type Reloadable } from '@apix/contracts';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Level } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { documentOf } from './logger-source.js';
import type { LogxModuleOptions } from './logx-module-options.js';

/**
 * Closes the logger last and reads its level again on a reload. Without a host it is only flushed when the
 * app shuts down: other code may still log after it.
 */
export class LoggerLife implements CloseLast, Reloadable, OnApplicationShutdown {
  readonly [CLOSE_LAST] = true as const;
  readonly [RELOADABLE] = true as const;
  readonly name = 'logx';

  constructor(
    private readonly logger: Logger,
    private readonly options: LogxModuleOptions,
  ) {}

  /** @throws ConfigError when the document has become wrong; the level then stays as it is. */
  reload(): void {
    const document = documentOf(this.options);
    if (document !== undefined) this.logger.levels.set(document.level ?? Level.Information);
  }

  onApplicationShutdown(): Promise<void> {
    return this.logger.flush();
  }

  /** The logger that was given may be a child of the one that can be closed. */
  closeLast(): Promise<void> {
    return this.logger.root.close();
  }
}
