import { type Server, type Socket, createServer } from 'node:net';
import { type SecureContextOptions, type TLSSocket, createServer as createTls } from 'node:tls';
import { type Deadline, thrownText } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import { GrpcSetupError } from '@apix/grpc-client/core';
import type { PemFiles } from '@apix/grpc-client/internal';
import { addressOf, unixPathOf } from '../server/address.js';
import { type Certificates, HANDSHAKE_MS } from '../server/certificates.js';
import type { ResolvedListenOptions } from '../server/listen-options.js';
import { type PassedSocket, cannotListen } from '../server/listen-target.js';
import type { ListeningServer, NetworkServerParts } from '../server/network-server.js';
import { type ConnectionOwner, ServedConnection } from './connection.js';

/** How long the last bytes of a connection may take to leave when the server stops. */
const LAST_BYTES_MS = 1_000;

/** What the connections of a socket are for, and how many there may be. */
type SocketOwner = Pick<ConnectionOwner, 'settings' | 'accept' | 'onMisuse'> &
  Pick<NetworkServerParts, 'connections'>;

/** A socket that accepts connections of HTTP/2, in plain text or with TLS. */
export class ListeningSocket implements ListeningServer {
  readonly #owner: SocketOwner;
  readonly #server: Server;
  readonly #connections = new Set<ServedConnection>();
  /** Those below TLS, where there is one, which may not be ready for HTTP/2. */
  readonly #sockets = new Set<Socket>();
  #isDraining = false;
  #whenEmpty: (() => void) | undefined;

  private constructor(owner: SocketOwner, certificates: Certificates | undefined) {
    this.#owner = owner;
    this.#server =
      certificates === undefined
        ? createServer((socket) => this.#serve(socket))
        : this.#tlsServer(certificates);
    owner.connections?.watch(this.#server);
    this.#server.on('connection', (socket) => this.#note(socket));
  }

  #tlsServer(certificates: Certificates): Server {
    const server = createTls(
      {
        ...contextOf(certificates.files),
        ALPNProtocols: ['h2'],
        handshakeTimeout: HANDSHAKE_MS,
        requestCert: certificates.isMutual,
        rejectUnauthorized: certificates.isMutual,
      },
      (socket) => this.#serveTls(socket),
    );
    // Node destroys it after an error, but not after its time for the handshake.
    server.on('tlsClientError', (_, socket) => socket.destroy());
    certificates.onReload((files) => server.setSecureContext(contextOf(files)));
    return server;
  }

  static async open(
    settings: ResolvedListenOptions,
    owner: SocketOwner,
    passed: PassedSocket | undefined,
  ): Promise<ListeningSocket> {
    const { host, port, certificates } = settings;
    const path = unixPathOf(host);
    const own = path === undefined ? { host, port } : { path };
    const { target, failure } = passed ?? {
      target: own,
      failure: cannotListen(addressOf(host, port)),
    };
    const socket = new ListeningSocket(owner, certificates);
    await new Promise<void>((resolve, reject) => {
      // Also later: a process without file descriptors cannot accept, and must not end for it.
      socket.#server.on('error', (error) => {
        const text = `${failure}: ${thrownText(error)}`;
        reject(new GrpcSetupError([text], { cause: error }));
      });
      socket.#server.listen(target, resolve);
    });
    return socket;
  }

  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' ? (address?.port ?? 0) : 0;
  }

  async drain(deadline: Deadline): Promise<boolean> {
    this.#isDraining = true;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections) connection.close();
    const empty = new Promise<void>((resolve) => (this.#whenEmpty = resolve));
    if (this.#connections.size > 0) await Promise.race([empty, untilAborted(deadline.signal)]);
    const left = [...this.#connections];
    const isDone = left.every(({ streamCount }) => streamCount === 0);
    for (const connection of left) connection.cancel();
    await this.#closedWithin(closed, LAST_BYTES_MS);
    return isDone;
  }

  /** Gives the last bytes of connections their time to leave; nobody waits for handshakes. */
  async #closedWithin(closed: Promise<void>, ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([closed, late]);
    clearTimeout(timer);
    for (const socket of this.#sockets) socket.destroy();
  }

  #note(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => {});
  }

  #serveTls(socket: TLSSocket): void {
    const { alpnProtocol } = socket;
    if (alpnProtocol === 'h2') this.#serve(socket);
    else socket.destroy();
  }

  #serve(socket: Socket): void {
    if (this.#isDraining) {
      socket.destroy();
      return;
    }
    const { settings } = this.#owner;
    this.#connections.add(
      new ServedConnection(socket, {
        settings,
        accept: (connection, stream, request) => this.#owner.accept(connection, stream, request),
        onMisuse: (peer, reason) => this.#owner.onMisuse(peer, reason),
        onClosed: (connection) => {
          this.#connections.delete(connection);
          if (this.#connections.size === 0) this.#whenEmpty?.();
        },
      }),
    );
  }
}

function contextOf({ cert, key, clientCa }: PemFiles): SecureContextOptions {
  const { constants } = process.getBuiltinModule('node:crypto');
  return {
    cert,
    key,
    // HTTP/2 has no renegotiation (RFC 9113, 9.2.1).
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    ...(clientCa !== undefined && { ca: clientCa }),
  };
}
