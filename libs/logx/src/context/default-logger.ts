import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';

/** A logger that was made the default; two apps may have the same. */
interface Default {
  readonly logger: Logger;
}

let initial: Logger | undefined;
/** The last one is the default. */
let given: readonly Default[] = [];

/** The logger of the package-level functions. At first it writes JSON to standard output. */
export function defaultLogger(): Logger {
  return given.at(-1)?.logger ?? (initial ??= createLogger());
}

export function setDefaultLogger(logger: Logger): void {
  given = [{ logger }];
}

/** Makes a logger the default until the returned function is called; then it is the one before it. */
export function lendDefaultLogger(logger: Logger): () => void {
  const lent: Default = { logger };
  given = [...given, lent];
  return () => {
    given = given.filter((each) => each !== lent);
  };
}
