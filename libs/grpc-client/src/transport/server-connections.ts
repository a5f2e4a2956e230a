import type { WatchedChannel } from './readiness.js';
import { ServerConnection } from './server-connection.js';

/**
 * The connections to one server: one, and more only while calls would fill it, or so many were
 * reset that the server could end it with all of its calls.
 */
// Why: docs/decisions/0196
export class ServerConnections<C extends WatchedChannel> {
  readonly #open = new Set<ServerConnection<C>>();
  readonly #connect: () => C;
  readonly #timeoutMs: number;
  #current: ServerConnection<C>;
  #next: ServerConnection<C> | undefined;
  #isClosed = false;

  /**
   * @param connect creates a channel with its own connection.
   * @param timeoutMs how long calls wait for a connection, in milliseconds.
   */
  constructor(connect: () => C, timeoutMs: number) {
    this.#connect = connect;
    this.#timeoutMs = timeoutMs;
    this.#current = this.#add();
  }

  /** That of new calls, as long as it has room for them. */
  get current(): ServerConnection<C> {
    return this.#current;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The connection for one more call. */
  choose(): ServerConnection<C> {
    if (!this.#current.hasRoom) this.#change();
    return this.#current;
  }

  close(): void {
    this.#isClosed = true;
    for (const connection of this.#open) this.#close(connection);
  }

  /** Switches to another connection, or to a new one once it is ready. */
  #change(): void {
    for (const other of this.#open) {
      if (other !== this.#next && other.isReady && other.hasRoom) {
        this.#goOverTo(other);
        return;
      }
    }
    if (this.#next !== undefined || this.#isClosed) return;
    const next = this.#add();
    this.#next = next;
    // For as long as it takes: grpc-js would leave the socket of an attempt behind that is closed
    // before its end.
    next.whenReady({
      deadline: Infinity,
      done: () => {
        if (this.#isClosed) return;
        this.#next = undefined;
        this.#goOverTo(next);
      },
    });
  }

  #goOverTo(connection: ServerConnection<C>): void {
    const last = this.#current;
    this.#current = connection;
    this.#leave(last);
  }

  #add(): ServerConnection<C> {
    const connection = new ServerConnection(this.#connect(), this.#timeoutMs, () => {
      this.#leave(connection);
    });
    this.#open.add(connection);
    return connection;
  }

  /** Closes a connection that no call needs. */
  #leave(connection: ServerConnection<C>): void {
    if (connection !== this.#current && connection.isIdle) this.#close(connection);
  }

  #close(connection: ServerConnection<C>): void {
    this.#open.delete(connection);
    connection.close();
  }
}
