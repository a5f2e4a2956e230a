import { isReadableError } from '@apix/contracts/internal';
import type { Logger } from '../logger/logger.js';
import { Level } from '../levels/level.js';
import { safely } from '../value/safely.js';

/** The template of the event that reports an unexpected failure. */
export const PANIC_TEMPLATE = 'panic recovered: {Panic}';

/** Writes the event of such a failure, with its error and stack and those of its causes. */
export function writePanic(logger: Logger, error: unknown): void {
  logger.withStackTrace(true).write({
    level: Level.Error,
    template: PANIC_TEMPLATE,
    args: [
      safely(
        () => (isReadableError(error) ? error.message : error),
        () => error,
      ),
    ],
    error,
  });
}
