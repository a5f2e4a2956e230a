import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Responses of a connection that waited behind others when their request came. */
const queues = new WeakMap<Duplex, Set<ServerResponse>>();

/**
 * Makes a response to a pipelined request emit `close` when its connection closes, like every other one.
 * Node notifies only the response that is being sent; those after it, and code that waits for their end,
 * such as a call that must be cancelled, would never be notified.
 */
export function closeWithConnection(res: ServerResponse): void {
  // Of HTTP/1 it has the connection once it is the first in the queue; of HTTP/2 always.
  if (res.socket !== null) return;
  const { socket } = res.req;
  let queue = queues.get(socket);
  if (queue === undefined) {
    queue = new Set();
    queues.set(socket, queue);
    socket.once('close', closeAll.bind(null, queue));
  }
  queue.add(res);
  res.once('close', queue.delete.bind(queue, res));
}

function closeAll(queue: ReadonlySet<ServerResponse>): void {
  for (const res of queue) {
    // Node itself notifies the one that has the connection.
    if (res.socket !== null) continue;
    res.destroy();
    res.emit('close');
  }
}
