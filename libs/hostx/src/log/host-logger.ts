import { thrownText } from '@apix/contracts';

/**
 * The part of a logger that the host needs. Templates have `{Name}` placeholders, filled by the arguments
 * in order; a logger of @apix/logx fits as it is.
 */
export interface HostLogger {
  information(template: string, ...args: unknown[]): void;
  warning(template: string, ...args: unknown[]): void;
  error(error: unknown, template: string, ...args: unknown[]): void;
}

/** Without a logger the host is silent; errors are still returned from `run`. */
export const silentLogger: HostLogger = {
  information: () => {},
  warning: () => {},
  error: () => {},
};

/** The same logger with its own failures ignored: errors that it throws are dropped. */
export function harmless(logger: HostLogger): HostLogger {
  const attempt = (write: () => void): void => {
    try {
      write();
    } catch {
      // A logger that fails must not stop what it reports on.
    }
  };
  return {
    information: (template, ...args) => attempt(() => logger.information(template, ...args)),
    warning: (template, ...args) => attempt(() => logger.warning(template, ...args)),
    error: (error, template, ...args) =>
      attempt(() => {
        try {
          // A text that was thrown is never the template, even if it has placeholders.
          logger.error(typeof error === 'string' ? new Error(error) : error, template, ...args);
        } catch {
          // Loggers read more of an error than its text, its causes for instance, and what was
          // thrown may not be readable.
          logger.error(new Error(thrownText(error)), template, ...args);
        }
      }),
  };
}
