import { markClass } from '../brand.js';

/** Offered by logx; what hostx logs to unless it is given a logger. */
export const TEMPLATE_LOG = Symbol.for('apix.TemplateLog');

/** Templates have `{Name}` placeholders, filled by the arguments in order. */
export interface TemplateLogger {
  information(template: string, ...args: unknown[]): void;
  warning(template: string, ...args: unknown[]): void;
  error(error: unknown, template: string, ...args: unknown[]): void;
}

export interface TemplateLog {
  readonly [TEMPLATE_LOG]?: true;
  /** A logger of that name, whose errors have their stack. */
  loggerFor(name: string): TemplateLogger;
}

/** Marks a provider of loggers. The same as a property `[TEMPLATE_LOG] = true`. */
export function TemplateLog(): ClassDecorator {
  return markClass(TEMPLATE_LOG);
}
