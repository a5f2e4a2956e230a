import type { INestApplication } from '@nestjs/common';
import { isAwaitedByWork } from '@apix/contracts';
import { replaceMethod } from './replace-method.js';

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
  return replaceMethod(app, 'close', async () => {
    // Why: docs/decisions/0390
    const waitsForItself = isAwaitedByWork();
    // Called by a listener of a signal, it leaves the stop to the host, which gets the signal too.
    await Promise.resolve();
    const stopped = stop();
    if (!waitsForItself) await stopped;
  });
}
