import type { Server, Socket } from 'node:net';

/**
 * Connections to servers with TLS whose handshake is not done. Node closes a server when all of its connections have
 * ended, and such a one is nobody's: a client that says nothing would hold up the stop until its time is over.
 */
export class Handshakes {
  /** By their peers: Node has no way from a socket with TLS to the one below it. A unix socket has none. */
  readonly #sockets = new Map<string, Socket>();

  /** @param server one that emits `secureConnection`. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#note(socket));
    server.on('secureConnection', (socket: Socket) => {
      this.#sockets.delete(peerOf(socket) ?? '');
    });
  }

  /** Cuts them off. */
  end(): void {
    for (const socket of this.#sockets.values()) socket.destroy();
  }

  #note(socket: Socket): void {
    const peer = peerOf(socket);
    if (peer === undefined) return;
    this.#sockets.set(peer, socket);
    socket.once('close', () => {
      if (this.#sockets.get(peer) === socket) this.#sockets.delete(peer);
    });
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress}:${remotePort}`;
}
