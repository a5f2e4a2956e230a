import type { INestApplication, INestMicroservice } from '@nestjs/common';
import { isAwaitedByWork, replaceOn } from '@apix/contracts/internal';

/** The reason of a shutdown that the app's own code has asked for. */
export const APP_CLOSE = 'app.close()';

/**
 * Makes `app.close()` of the app's own code stop the host, which closes the app in its turn; Nest alone
 * would destroy the app while its services run. The returned function undoes it, which the host has to do
 * before it closes the app itself.
 *
 * @param stop resolves when all has stopped
 */
export function stopByClose(app: INestApplication, stop: () => Promise<void>): () => void {
  return replaceOn(app, 'close', () => async () => {
    // Why: docs/decisions/0390
    const waitsForItself = isAwaitedByWork();
    // Called by a listener of a signal, it leaves the stop to the host, which gets the signal too.
    await Promise.resolve();
    const stopped = stop();
    if (!waitsForItself) await stopped;
  });
}

/**
 * Makes `app.enableShutdownHooks()` do nothing: Nest's own signal handlers would destroy the app while its
 * services run. The returned function undoes it.
 */
export function withoutShutdownHooks(app: INestApplication): () => void {
  return replaceOn(app, 'enableShutdownHooks', () => () => app);
}

/**
 * Runs `stop` as the very first thing of `app.close()`, before the hooks of the app, for which Nest has no
 * hook: services stop while their dependencies still work. Undone as soon as it has run.
 *
 * @param method with which the close begins: `beforeClose` of an HTTP adapter, which those of Nest 11 do not
 *   have, or `close` of the server of a microservice. Does nothing where it is missing.
 */
export function stopBeforeClose(
  target: object,
  method: 'beforeClose' | 'close',
  stop: () => Promise<void>,
): void {
  const closing = target as { [name in typeof method]?: () => unknown };
  if (closing[method] === undefined) return;
  // Why: docs/decisions/0053
  const undo = replaceOn(closing, method, (close) => async () => {
    undo();
    await stop();
    await close.call(target);
  });
}

/** The members of a connected microservice beyond its public interface. */
interface Terminable {
  setIsTerminated?(terminated: boolean): void;
}

/**
 * Closes the transport without the hooks of the app, which `app.close()` runs later, and keeps that
 * from closing it again, which not every transport takes. The returned function undoes the latter.
 */
export async function closeAlone(microservice: INestMicroservice): Promise<() => void> {
  (microservice as Terminable).setIsTerminated?.(true);
  await microservice.close();
  return replaceOn(microservice, 'close', () => () => Promise.resolve());
}
