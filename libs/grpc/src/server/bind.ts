import { thrownText } from '@apix/contracts';
import type { Server } from '@grpc/grpc-js';
import { createServer } from 'node:net';
import { GrpcSetupError } from '@apix/grpc-client/core';
import { askWhileClosing } from '@apix/grpc-client/internal';
import { endSockets } from '../patches/end-sockets.js';
import { onHttp2Server } from '../patches/http2-servers.js';
import { addressOf, unixPathOf } from './address.js';
import type { OpenConnections } from './open-connections.js';
import { Handshakes } from './handshakes.js';
import type { ResolvedListenOptions } from './listen-options.js';
import { type PassedSocket, cannotListen, passedSocket } from './listen-target.js';

/** Where a server of grpc-js accepts connections. */
export interface Acceptor {
  readonly port: number;
  /**
   * To be called before the server shuts down, which does not close an activated socket. Resolves once
   * the connections have ended that the server does not wait for itself: since Node 24 it takes those it
   * was handed for closed while their calls continue.
   */
  readonly stopAccepting: () => Promise<void>;
}

/**
 * Makes the server accept connections.
 *
 * @param connections counts those of the server, and may limit them.
 * @throws GrpcSetupError that names the address.
 */
export async function bind(
  server: Server,
  settings: ResolvedListenOptions,
  connections?: OpenConnections,
): Promise<Acceptor> {
  const handshakes = new Handshakes();
  const passed = await passedSocket(settings);
  onHttp2Server(server, (http2) => {
    if (passed === undefined) connections?.watch(http2);
    http2.prependListener('session', askWhileClosing);
    endSockets(http2, settings.credentials._isSecure());
    if (settings.certificates !== undefined) handshakes.watch(http2);
  });
  const { port, stopAccepting } = await (passed === undefined
    ? bindAddress(server, settings)
    : bindSocket(server, settings, passed, connections));
  return {
    port,
    stopAccepting() {
      handshakes.end();
      return stopAccepting();
    },
  };
}

function bindAddress(server: Server, settings: ResolvedListenOptions): Promise<Acceptor> {
  const { host, port, credentials } = settings;
  const address = addressOf(host, port);
  const stopAccepting = async (): Promise<void> => {};
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error === null) {
        resolve({ port: unixPathOf(host) === undefined ? bound : 0, stopAccepting });
      } else {
        const text = `${cannotListen(address)}: ${thrownText(error)}`;
        reject(new GrpcSetupError([text], { cause: error }));
      }
    });
  });
}

/** grpc-js cannot listen on a socket that is bound already, but takes connections one by one. */
export function bindSocket(
  server: Server,
  { credentials }: ResolvedListenOptions,
  { target, failure }: PassedSocket,
  connections?: OpenConnections,
): Promise<Acceptor> {
  const injector = server.createConnectionInjector(credentials);
  const acceptor = createServer((connection) => injector.injectConnection(connection));
  connections?.watch(acceptor);
  return new Promise((resolve, reject) => {
    acceptor.once('error', (error) => {
      reject(new GrpcSetupError([`${failure}: ${thrownText(error)}`], { cause: error }));
    });
    acceptor.listen(target, () => {
      const address = acceptor.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      const stopAccepting = (): Promise<void> =>
        new Promise((resolve) => void acceptor.close(() => resolve()));
      resolve({ port, stopAccepting });
    });
  });
}
