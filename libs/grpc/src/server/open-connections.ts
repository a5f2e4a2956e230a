import type { Server, Socket } from 'node:net';
import type { MetricReading } from '@apix/contracts';

/**
 * The open connections of the sockets of a server, and how many these may have together. They count from the moment that
 * the system has accepted them: with a handshake of TLS that never ends, or without a byte of HTTP/2. Those above are
 * closed before anything is read of them.
 */
// Why: docs/decisions/0509
export class OpenConnections {
  readonly #most: number | undefined;
  readonly #refused: (peer: string | undefined) => void;
  readonly #open = new Map<Server, number>();

  /**
   * @param most undefined for no limit.
   * @param refused called for each connection above, with its address; a Unix socket has none.
   */
  constructor(most: number | undefined, refused: (peer: string | undefined) => void) {
    this.#most = most;
    this.#refused = refused;
  }

  /** Counts the connections of a server that does not listen yet. */
  watch(server: Server): void {
    this.#open.set(server, 0);
    this.#share();
    server.on('connection', (socket: Socket) => {
      this.#count(server, 1);
      socket.once('close', () => this.#count(server, -1));
    });
    server.once('close', () => this.#open.delete(server));
    server.on('drop', (connection) => this.#refused(connection?.remoteAddress));
  }

  *metrics(): Iterable<MetricReading> {
    yield {
      name: 'apix.grpc.connections.active',
      kind: 'gauge',
      value: this.#active,
      description: 'Open connections of the gRPC server',
    };
  }

  get #active(): number {
    let active = 0;
    for (const count of this.#open.values()) active += count;
    return active;
  }

  #count(server: Server, by: number): void {
    const open = this.#open.get(server);
    if (open === undefined) return;
    this.#open.set(server, open + by);
    if (this.#open.size > 1) this.#share();
  }

  /** Node counts for each server; what the others have open is not for it. */
  #share(): void {
    if (this.#most === undefined) return;
    const active = this.#active;
    for (const [server, own] of this.#open) {
      const left = this.#most - (active - own);
      // Node 20 takes 0 for no limit.
      server.maxConnections = left > 0 ? left : -1;
    }
  }
}
