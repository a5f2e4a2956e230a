import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { LINGER_BYTES, LINGER_MS, dropRest } from '@apix/contracts/internal';
import { dropBody } from './drop-body.js';

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

/**
 * Makes a connection that ends with the answer to an incomplete request close as RFC 9112 §9.6 requires:
 * first this side of it, and the rest when the client has closed its side, has sent the whole body, or some
 * time has passed. Node would close both at once, and unread data would then reset the connection before
 * the answer arrives.
 */
export function closeLater(req: IncomingMessage): void {
  const { socket } = req;
  const closeNow = socket.destroySoon.bind(socket);
  // Why: docs/decisions/0182
  socket.destroySoon = () => {
    socket.destroySoon = closeNow;
    req.once('end', closeNow);
    linger(socket);
  };
  if (!dropBody(req, LINGER_BYTES)) dropRest(req);
}

/** Closes this side of a connection, and the other when its client has, or some time has passed. */
function linger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}

/** As {@link linger}, for a connection that no parser reads from. */
export function lingerUnparsed(socket: Duplex): void {
  dropRest(socket);
  linger(socket);
}

/**
 * Call before the headers of an answer are sent: if its request is incomplete, no more of it is read than a
 * client needs to see the answer, and the connection ends with it (RFC 9112 §9.6). A stream of HTTP/2 is left
 * when the response ends: see `endResponse`.
 */
export function closeUnlessComplete(res: ServerResponse): void {
  const { req } = res;
  // A request that was made up, for a test of an app, does not have it.
  const { complete }: { readonly complete: boolean | undefined } = req;
  if ((complete ?? true) || req.httpVersionMajor >= 2) return;
  const given = res.getHeader('connection');
  res.setHeader('connection', given === undefined ? 'close' : `${String(given)}, close`);
  closeLater(req);
}
