import type { Socket } from 'node:net';

const WAITING = Symbol.for('apix.calls.WaitingResponses');

type Watched = Socket & { [WAITING]?: Set<() => void> };

/**
 * Calls `lost` when the connection ends, until the function that it returns is called. All that
 * wait on a connection share one listener: a caller may pipeline any number of requests.
 */
export function onConnectionLost(socket: Watched, lost: () => void): () => void {
  let waiting = socket[WAITING];
  if (waiting === undefined) {
    const all = new Set<() => void>();
    socket.once('close', () => {
      for (const each of all) each();
    });
    waiting = socket[WAITING] = all;
  }
  waiting.add(lost);
  return () => void waiting.delete(lost);
}
