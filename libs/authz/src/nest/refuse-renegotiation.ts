import { Server, type TLSSocket } from 'node:tls';

/**
 * Ends every connection of a TLS server whose client begins another handshake, as TLS 1.2 lets it:
 * a certificate that comes in one is the socket's before it was verified, and stays so when that
 * fails, while `authorized` still speaks of the first one. Does nothing for a server without TLS.
 */
// Node does the same for HTTP/2, and TLS 1.3 has no such handshake.
export function refuseRenegotiation(server: unknown): void {
  if (!(server instanceof Server)) return;
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.disableRenegotiation();
    // A listener of the app for errors of clients might let the connection continue.
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ERR_TLS_RENEGOTIATION_DISABLED') socket.destroy();
    });
  });
}
