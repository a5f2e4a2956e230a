import { TEMPLATE_LOG, type TemplateLog, type TemplateLogger } from '@apix/contracts';
import type { Logger } from '../logger/logger.js';

/** Gives the host of the app its logger, with stacks, because failures of the host need them. */
export class AppLog implements TemplateLog {
  readonly [TEMPLATE_LOG] = true as const;

  constructor(private readonly logger: Logger) {}

  loggerFor(name: string): TemplateLogger {
    return this.logger.forContext('logger', name).withStackTrace(true);
  }
}
