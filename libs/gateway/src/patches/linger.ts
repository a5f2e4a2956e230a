import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { LINGER_MS, dropRest } from '@apix/contracts';

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
  dropRest(req);
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
