/** Token of the options of `LogxModule`. */
export const LOGX_OPTIONS = Symbol.for('apix.logx.Options');

/** Token of the app's root logger. */
export const LOGX_LOGGER = Symbol.for('apix.logx.Logger');

/**
 * Token of a named logger, for example for `overrideProvider(loggerToken('refunds'))`; without a
 * name, the token of the root logger.
 */
export function loggerToken(name?: string): string | symbol {
  return name === undefined ? LOGX_LOGGER : `apix.logx.Logger:${name}`;
}
