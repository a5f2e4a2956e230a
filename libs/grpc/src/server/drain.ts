import type { Deadline } from '@apix/contracts';
import type { Server } from '@grpc/grpc-js';
import { untilAborted } from '../until-aborted.js';
import type { InProcessDoor } from '../in-process/in-process-door.js';
import type { Listener } from './bind.js';

/**
 * Accepts no more, lets the calls under way end, from the network and in-process, and refuses new ones; whatever
 * is left at the deadline is ended.
 *
 * @throws Error when something was left.
 */
export async function drain(
  server: Server,
  { stopAccepting }: Pick<Listener, 'stopAccepting'>,
  deadline: Deadline,
  inProcess?: InProcessDoor,
): Promise<void> {
  const [fromNetwork, cutOff] = await Promise.all([
    drainConnections(server, stopAccepting(), deadline),
    inProcess?.close(deadline) ?? 0,
  ]);
  if (fromNetwork && cutOff === 0) return;
  throw new Error('grpc: graceful shutdown timed out; the calls under way were cut off', {
    cause: deadline.signal.reason,
  });
}

/** @returns whether every call ended by itself. */
async function drainConnections(
  server: Server,
  accepted: Promise<void>,
  deadline: Deadline,
): Promise<boolean> {
  const shutDown = new Promise<void>((resolve, reject) => {
    // Why: docs/decisions/0110
    server.tryShutdown((error) => (error ? reject(error) : resolve()));
  });
  const finished = Promise.all([shutDown, accepted]);
  const late = untilAborted(deadline.signal).then(() => 'late');
  if ((await Promise.race([finished, late])) !== 'late') return true;
  server.forceShutdown();
  return false;
}
