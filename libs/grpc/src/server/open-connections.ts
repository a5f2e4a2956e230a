import type { Server, Socket } from 'node:net';

/**
 * How many connections the sockets of a server may have open together. They count from the moment that the system has
 * accepted them: with a handshake of TLS that never ends, or without a byte of HTTP/2. Those above are closed before
 * anything is read of them.
 */
// Why: docs/decisions/0509
export class ConnectionLimit {
  readonly #most: number;
  readonly #refused: (peer: string | undefined) => void;
  readonly #open = new Map<Server, number>();

  /** @param refused called for each connection above, with its address; a Unix socket has none. */
  constructor(most: number, refused: (peer: string | undefined) => void) {
    this.#most = most;
    this.#refused = refused;
  }

  /** Limits a server that does not listen yet. */
  watch(server: Server): void {
    this.#open.set(server, 0);
    this.#share();
    server.on('connection', (socket: Socket) => {
      this.#count(server, 1);
      socket.once('close', () => this.#count(server, -1));
    });
    server.on('drop', (connection) => this.#refused(connection?.remoteAddress));
  }

  #count(server: Server, by: number): void {
    this.#open.set(server, this.#open.get(server)! + by);
    if (this.#open.size > 1) this.#share();
  }

  /** Node counts for each server; what the others have open is not for it. */
  #share(): void {
    let all = 0;
    for (const count of this.#open.values()) all += count;
    for (const [server, own] of this.#open) {
      const left = this.#most - (all - own);
      // Node 20 takes 0 for no limit.
      server.maxConnections = left > 0 ? left : -1;
    }
  }
}
