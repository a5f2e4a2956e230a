import { type Deadline } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import type { Server } from '@grpc/grpc-js';
import type { InProcessEntry } from '../in-process/in-process-entry.js';
import type { Acceptor } from './bind.js';
import type { ListeningServer } from './network-server.js';

/**
 * Refuses new calls and lets those under way end, from the network and in-process; whatever is left
 * at the deadline is ended.
 *
 * @throws Error when something was left.
 */
export async function drain(
  listening: Pick<ListeningServer, 'drain'>,
  deadline: Deadline,
  inProcess?: InProcessEntry,
): Promise<void> {
  const [fromNetwork, cutOff] = await Promise.all([
    listening.drain(deadline),
    inProcess?.close(deadline) ?? 0,
  ]);
  if (fromNetwork && cutOff === 0) return;
  throw new Error('grpc: graceful shutdown timed out; the calls under way were cut off', {
    cause: deadline.signal.reason,
  });
}

/** A server of grpc-js that accepts connections. */
export function listeningServer(
  server: Server,
  { port, stopAccepting }: Acceptor,
): ListeningServer {
  return {
    port,
    async drain(deadline) {
      const accepted = stopAccepting();
      const shutDown = new Promise<void>((resolve, reject) => {
        // Why: docs/decisions/0110
        server.tryShutdown((error) => (error ? reject(error) : resolve()));
      });
      const finished = Promise.all([shutDown, accepted]);
      const late = untilAborted(deadline.signal).then(() => 'late');
      if ((await Promise.race([finished, late])) !== 'late') return true;
      server.forceShutdown();
      return false;
    },
  };
}
