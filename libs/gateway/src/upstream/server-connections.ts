import type { Client } from '@grpc/grpc-js';
import { ServerConnection } from './server-connection.js';

/**
 * The connections to one server: one, and more only while calls would fill it, or so many were
 * reset that the server could end it with the calls of everybody.
 */
// Why: docs/decisions/0196
export class ServerConnections {
  readonly #open = new Set<ServerConnection>();
  readonly #connect: () => Client;
  readonly #timeoutMs: number;
  #current: ServerConnection;
  #next: ServerConnection | undefined;
  #isClosed = false;

  /** @param connect makes a client with a connection of its own. */
  constructor(connect: () => Client, timeoutMs: number) {
    this.#connect = connect;
    this.#timeoutMs = timeoutMs;
    this.#current = this.#add();
  }

  get current(): ServerConnection {
    return this.#current;
  }

  /** The connection for one more call. */
  choose(): ServerConnection {
    if (!this.#current.hasRoom) this.#change();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) this.#close(connection);
  }

  /** Goes over to another connection, or to a new one once that is there. */
  #change(): void {
    for (const other of this.#open) {
      if (other !== this.#next && other.isReady && other.hasRoom) {
        this.#goOverTo(other);
        return;
      }
    }
    if (this.#next !== undefined || this.#isClosed) return;
    this.#next = this.#add();
    this.#await(this.#next);
  }

  #await(next: ServerConnection): void {
    next.whenReady(Date.now() + this.#timeoutMs, (error) => {
      if (this.#isClosed) return;
      if (error !== undefined) {
        // grpc-js would leave the socket of an attempt behind that is closed before its end.
        this.#await(next);
        return;
      }
      this.#next = undefined;
      this.#goOverTo(next);
    });
  }

  #goOverTo(connection: ServerConnection): void {
    const last = this.#current;
    this.#current = connection;
    this.#leave(last);
  }

  #add(): ServerConnection {
    const connection = new ServerConnection(this.#connect(), this.#timeoutMs, (idle) => {
      this.#leave(idle);
    });
    this.#open.add(connection);
    return connection;
  }

  /** Closes a connection that no call needs. */
  #leave(connection: ServerConnection): void {
    if (connection !== this.#current && connection.isIdle) this.#close(connection);
  }

  #close(connection: ServerConnection): void {
    this.#open.delete(connection);
    connection.close();
  }
}
