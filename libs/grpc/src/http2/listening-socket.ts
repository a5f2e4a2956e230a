import { type Server, type Socket, createServer } from 'node:net';
import { type SecureContextOptions, type TLSSocket, createServer as createTls } from 'node:tls';
import { type Deadline, thrownText, untilAborted } from '@apix/contracts';
import { GrpcSetupError } from '@apix/grpc-client/core';
import type { PemFiles } from '@apix/grpc-client/internal';
import { addressOf, unixPathOf } from '../server/address.js';
import { Handshakes } from '../server/handshakes.js';
import type { ResolvedListenOptions } from '../server/listen-options.js';
import { cannotListen, passedSocket } from '../server/listen-target.js';
import type { ListeningServer } from '../server/network-server.js';
import { type ConnectionOwner, ServedConnection } from './connection.js';

/** How long a client may take for its TLS handshake. */
const HANDSHAKE_MS = 10_000;

/** A socket that accepts connections of HTTP/2, in plain text or with TLS. */
export class ListeningSocket implements ListeningServer {
  readonly #owner: Pick<ConnectionOwner, 'settings' | 'accept' | 'onMisuse'>;
  readonly #server: Server;
  readonly #connections = new Set<ServedConnection>();
  readonly #handshakes = new Handshakes();
  #isDraining = false;

  private constructor(
    owner: Pick<ConnectionOwner, 'settings' | 'accept' | 'onMisuse'>,
    certificates: ResolvedListenOptions['certificates'],
  ) {
    this.#owner = owner;
    if (certificates === undefined) {
      this.#server = createServer((socket) => this.#serve(socket));
      return;
    }
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
    this.#handshakes.watch(server);
    server.on('connection', (socket) => void socket.on('error', () => {}));
    // It is destroyed; there is nobody to tell.
    server.on('tlsClientError', () => {});
    certificates.onReload((files) => server.setSecureContext(contextOf(files)));
    this.#server = server;
  }

  static async open(
    settings: ResolvedListenOptions,
    owner: Pick<ConnectionOwner, 'settings' | 'accept' | 'onMisuse'>,
  ): Promise<ListeningSocket> {
    const passed = await passedSocket(settings);
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
    this.#handshakes.end();
    for (const connection of this.#connections) connection.close();
    const late = untilAborted(deadline.signal).then(() => 'late');
    if ((await Promise.race([closed, late])) !== 'late') return true;
    const left = [...this.#connections];
    const isDone = left.every(({ streamCount }) => streamCount === 0);
    for (const connection of left) connection.cancel();
    return isDone;
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
        onClosed: (connection) => this.#connections.delete(connection),
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
