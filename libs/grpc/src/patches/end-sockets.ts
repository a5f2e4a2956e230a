import type { Http2Server, Http2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** How long a client may take to close its end once it has been sent everything, in milliseconds. */
const LAST_BYTES_MS = 1_000;

/** How long the bytes that are left may take to leave the process, in milliseconds. */
const UNSENT_MS = 10_000;

/**
 * Destroys the sockets of sessions that have ended. Node closes its own end and waits, without a limit, until the client
 * closes the other one: a client that does not do that keeps a file descriptor after the session's age is over, and holds
 * up the stop of the server. This replaces `destroy` of each session, which Node calls at its end.
 *
 * @param isSecure whether the server speaks TLS.
 */
// Why: docs/decisions/0511
export function endSockets(server: Http2Server, isSecure: boolean): void {
  // Node makes a session of a socket, and emits it, in the same event.
  let accepted: Socket | undefined;
  server.prependListener(isSecure ? 'secureConnection' : 'connection', (socket: Socket) => {
    accepted = socket;
  });
  server.prependListener('session', (session: Http2Session) => {
    const socket = accepted!;
    const destroy = session.destroy.bind(session);
    let isEnded = false;
    session.destroy = (...how) => {
      destroy(...how);
      if (!isEnded) limit(socket);
      isEnded = true;
    };
  });
}

function limit(socket: Socket): void {
  if (socket.destroyed) return;
  const destroyAfter = (ms: number): NodeJS.Timeout =>
    setTimeout(() => socket.destroy(), ms).unref();
  let timer = destroyAfter(socket.writableFinished ? LAST_BYTES_MS : UNSENT_MS);
  socket.once('finish', () => {
    clearTimeout(timer);
    timer = destroyAfter(LAST_BYTES_MS);
  });
  socket.once('close', () => clearTimeout(timer));
}
