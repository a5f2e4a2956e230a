import type { IncomingMessage, Server } from 'node:http';
import type { Http2ServerRequest, Http2Session, ServerHttp2Session } from 'node:http2';
import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { type AnyResponse } from '@apix/contracts';
import { UPGRADE_OBSERVER } from '@apix/contracts/internal';
import { Connection, type Protocol } from './connection.js';

type AnyRequest = IncomingMessage | Http2ServerRequest;

/** The connections of one protocol. */
export interface ProtocolCount {
  connections: number;
  /** Requests that have not been answered whole. */
  requests: number;
}

/** Every connection of a server, and what can be done to all of them. */
export class Connections {
  readonly #server: Server;
  readonly #bySocket = new Map<Socket, Connection>();
  /** Of the WebSockets. */
  #toldToGo = 0;
  readonly #bySession = new WeakMap<Http2Session, Connection>();
  /** The newest connection; a session of HTTP/2 is made in the same turn as it is announced. */
  #newest: Connection | null = null;
  /** Connections on which TLS has yet to be agreed on, by who is at their other end. */
  readonly #handshakes = new Map<string, Connection>();
  readonly #detach: (() => void)[] = [];
  #refusing = false;
  #onChange = (): void => {};

  /** @param http2 serves those connections of `server` that speak HTTP/2, if not `server` itself does. */
  constructor(server: Server, http2: EventEmitter | null = null) {
    this.#server = server;
    const onSocket = (socket: Socket): void => void (this.#newest = this.#of(socket));
    const onSecure = (socket: Socket): void => {
      // Node does not show which connection has become this one.
      this.#handshakes.get(peerOf(socket) ?? '')?.secured();
      onSocket(socket);
    };
    const onRequest = (request: AnyRequest, response: AnyResponse): void => {
      const connection = this.#carrying(request);
      connection.begin(response, () => this.#onChange());
      if (this.#refusing) connection.refuseRequests();
    };
    const onSession = (session: ServerHttp2Session): void => {
      this.#newest?.carries(session);
      if (this.#newest !== null) this.#bySession.set(session, this.#newest);
    };
    for (const part of http2 === null ? [server] : [server, http2]) {
      this.#listen(part, 'connection', onSocket);
      this.#listen(part, 'secureConnection', onSecure);
      this.#listen(part, 'session', onSession);
      this.#listen(part, 'request', onRequest);
    }
    this.#followUpgrades('upgrade');
    this.#followUpgrades('connect');
  }

  /** The number of connections, and the requests under way on them. */
  counts(): ReadonlyMap<Protocol, ProtocolCount> {
    const counts = new Map<Protocol, ProtocolCount>();
    for (const { protocol, open } of this.#bySocket.values()) {
      if (protocol === null) continue;
      const count = counts.get(protocol) ?? { connections: 0, requests: 0 };
      count.connections += 1;
      count.requests += open.size;
      counts.set(protocol, count);
    }
    return counts;
  }

  get size(): number {
    let size = 0;
    for (const { connections } of this.counts().values()) size += connections;
    return size;
  }

  /** Called whenever a response has been sent or a connection has closed. */
  onChange(listener: () => void): void {
    this.#onChange = listener;
  }

  /** From now on, responses say `Connection: close`, those of requests under way included. */
  refuseRequests(): void {
    this.#refusing = true;
    for (const connection of this.#bySocket.values()) connection.refuseRequests();
  }

  /** Tells event streams to go, and WebSockets with the code, until so many of them have been told. */
  askToClose(most: number, code: number): void {
    for (const connection of this.#bySocket.values()) {
      if (connection.isUpgraded && (connection.isToldToGo || this.#toldToGo >= most)) continue;
      connection.askToClose(code);
      if (connection.isUpgraded && connection.isToldToGo) this.#toldToGo += 1;
    }
  }

  /** How many WebSockets and the like there are. */
  get upgraded(): number {
    return [...this.#bySocket.values()].filter(({ isUpgraded }) => isUpgraded).length;
  }

  /** Closes connections that wait for their next request. */
  closeIdle(): void {
    // For Node a connection is idle as soon as `end` was called, even with megabytes to send, and
    // for Node 26 also before its first request, which may be on its way.
    for (const connection of this.#bySocket.values()) {
      if (connection.isFlushing || connection.isSilent) return;
    }
    // A server of HTTP/2 may have connections of HTTP/1, but not the method.
    const { Server } = process.getBuiltinModule('node:http');
    Server.prototype.closeIdleConnections.call(this.#server);
  }

  destroySilent(): void {
    this.#destroy((connection) => connection.isSilent);
  }

  destroyUpgraded(): void {
    this.#destroy((connection) => connection.isUpgraded);
  }

  /** Destroys those whose clients have not answered the end of their session since the last call. */
  destroyUnanswered(): void {
    this.#destroy((connection) => connection.staysUnanswered());
  }

  destroyAll(): void {
    this.#destroy(() => true);
  }

  /** The requests still under way, for people: `GET /slow` and the like. */
  describe(): readonly string[] {
    return [...this.#bySocket.values()].flatMap((connection) =>
      [...connection.open].map(({ req }) => `${req.method} ${pathOf(req.url)}`),
    );
  }

  /** Forgets the server; connections continue as they are. */
  detach(): void {
    for (const off of this.#detach) off();
  }

  #destroy(which: (connection: Connection) => boolean): void {
    for (const connection of this.#bySocket.values()) if (which(connection)) connection.destroy();
  }

  #carrying(request: AnyRequest): Connection {
    // The socket of a request of HTTP/2 is a stand-in for the real one.
    const session = 'stream' in request ? request.stream.session : undefined;
    const carrying = session && this.#bySession.get(session);
    return carrying ?? this.#of(request.socket);
  }

  #of(socket: Socket): Connection {
    const known = this.#bySocket.get(socket);
    if (known !== undefined) return known;
    const peer = this.#isRaw(socket) ? peerOf(socket) : undefined;
    const connection = new Connection(socket, peer !== undefined);
    this.#bySocket.set(socket, connection);
    if (peer !== undefined) this.#handshakes.set(peer, connection);
    socket.once('close', () => {
      this.#bySocket.delete(socket);
      if (this.#handshakes.get(peer ?? '') === connection) this.#handshakes.delete(peer!);
      this.#onChange();
    });
    return connection;
  }

  #isRaw(socket: Socket): boolean {
    const { Server: TlsServer } = process.getBuiltinModule('node:tls');
    return this.#server instanceof TlsServer && !('encrypted' in socket);
  }

  #listen(from: EventEmitter, event: string, listener: (...args: never[]) => void): void {
    const untyped = listener as (...args: unknown[]) => void;
    from.prependListener(event, untyped);
    this.#detach.push(() => from.off(event, untyped));
  }

  /**
   * Node treats a request with an Upgrade header as an ordinary one if nothing listens for upgrades, so
   * that this may listen only while other code does.
   */
  #followUpgrades(event: 'upgrade' | 'connect'): void {
    const server = this.#server;
    const { Socket } = process.getBuiltinModule('node:net');
    const follow = (request: IncomingMessage, socket: Duplex): void => {
      if (socket instanceof Socket) this.#of(socket).upgradedBy(request);
    };
    Object.defineProperty(follow, UPGRADE_OBSERVER, { value: true });
    const adjust = (): void => {
      const others = server.listeners(event).filter((listener) => listener !== follow).length;
      const isFollowing = server.listeners(event).includes(follow);
      if (others > 0 && !isFollowing) server.prependListener(event, follow);
      if (others === 0 && isFollowing) server.off(event, follow);
    };
    const onAdded = (added: string | symbol, listener: unknown): void => {
      // The event is emitted before the listener is added.
      if (added === event && listener !== follow) queueMicrotask(adjust);
    };
    const onRemoved = (removed: string | symbol, listener: unknown): void => {
      if (removed === event && listener !== follow) adjust();
    };
    adjust();
    server.on('newListener', onAdded);
    server.on('removeListener', onRemoved);
    this.#detach.push(() => {
      server.off('newListener', onAdded);
      server.off('removeListener', onRemoved);
      server.off(event, follow);
    });
  }
}

/** Undefined on a Unix socket, whose clients have no address. */
function peerOf({ remoteAddress, remotePort }: Socket): string | undefined {
  return remotePort === undefined ? undefined : `${remoteAddress} ${remotePort}`;
}

/** Without the query, which may hold secrets. */
function pathOf(url: string | undefined): string {
  return (url ?? '').split('?', 1)[0]!;
}
