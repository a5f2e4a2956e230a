import { TEMPLATE_LOG, type TemplateLog, type TemplateLogger } from '@apix/contracts';
import type { Logger } from '../logger/logger.js';

/** Gives the host of the app its logger; without its stack, a failure of the host would not be useful. */
export class AppLog implements TemplateLog {
  readonly [TEMPLATE_LOG] = true as const;

  constructor(private readonly logger: Logger) {}

  loggerFor(name: string): TemplateLogger {
    return this.logger.forContext('logger', name).withStackTrace(true);
  }
}
