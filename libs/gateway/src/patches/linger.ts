import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a connection is kept for its client to read the answer, in milliseconds. */
const LINGER_MS = 2_000;

/** How much of the rest of a request is read meanwhile, and dropped. */
const LINGER_BYTES = 4 * 1024 * 1024;

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
  let rest = LINGER_BYTES;
  req.on('data', (chunk: Buffer) => {
    rest -= chunk.length;
    if (rest <= 0) req.pause();
  });
  req.resume();
}

/** Closes this side of a connection, and the other when its client has, or some time has passed. */
function linger(socket: Duplex): void {
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}

/** As {@link linger}, for a connection that no parser reads from. */
export function lingerUnparsed(socket: Duplex): void {
  let rest = LINGER_BYTES;
  socket.on('data', (chunk: Buffer) => {
    rest -= chunk.length;
    if (rest <= 0) socket.pause();
  });
  socket.resume();
  linger(socket);
}
