import { thrownText } from '@apix/contracts';
import { type ActivatedSocket, claimSocket } from '@apix/hostx/core';
import type { Server } from '@grpc/grpc-js';
import { type AddressInfo, createServer } from 'node:net';
import { GrpcSetupError } from '@apix/grpc-client/core';
import { askWhileClosing } from '@apix/grpc-client/transport';
import { onHttp2Server } from '../patches/http2-servers.js';
import { addressOf } from './address.js';
import type { ResolvedListenOptions } from './listen-options.js';

/** Where a server accepts connections. */
export interface Acceptor {
  readonly port: number;
  /**
   * To be called before the server shuts down, which does not close an activated socket. Resolves once
   * the connections have ended that the server does not wait for itself: since Node 24 it takes those it
   * was handed for closed while their calls continue.
   */
  readonly stopAccepting: () => Promise<void>;
}

/** The default name of the socket of systemd's activation. */
const SOCKET = 'grpc';

/** Makes the server accept connections. @throws GrpcSetupError that names the address. */
export async function bind(server: Server, settings: ResolvedListenOptions): Promise<Acceptor> {
  onHttp2Server(server, (http2) => void http2.prependListener('session', askWhileClosing));
  const { activation } = settings;
  if (activation === false) return bindAddress(server, settings);
  const socket = claimSocket(SOCKET, activation ?? SOCKET);
  if (socket !== null) return bindSocket(server, settings, socket);
  if (activation === undefined) return bindAddress(server, settings);
  throw new GrpcSetupError([
    `activation: this process got no socket named ${JSON.stringify(activation)}, or another ` +
      'service uses it already; check FileDescriptorName= in the socket unit',
  ]);
}

function bindAddress(server: Server, settings: ResolvedListenOptions): Promise<Acceptor> {
  const { host, port, credentials } = settings;
  const address = addressOf(host, port);
  const stopAccepting = async (): Promise<void> => {};
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error === null) resolve({ port: bound, stopAccepting });
      else {
        const text = `cannot listen at ${address}; check that no other process uses it`;
        reject(new GrpcSetupError([`${text}: ${thrownText(error)}`], { cause: error }));
      }
    });
  });
}

/** grpc-js cannot listen on a socket that is bound already, but takes connections one by one. */
export function bindSocket(
  server: Server,
  { credentials }: ResolvedListenOptions,
  { fd, name }: ActivatedSocket,
): Promise<Acceptor> {
  const injector = server.createConnectionInjector(credentials);
  const acceptor = createServer((connection) => injector.injectConnection(connection));
  return new Promise((resolve, reject) => {
    acceptor.once('error', (error) => {
      const text = `cannot listen on the activated socket ${name} (fd ${fd}): ${thrownText(error)}`;
      reject(new GrpcSetupError([text], { cause: error }));
    });
    acceptor.listen({ fd }, () => {
      const { port } = acceptor.address() as AddressInfo;
      const stopAccepting = (): Promise<void> =>
        new Promise((resolve) => void acceptor.close(() => resolve()));
      resolve({ port, stopAccepting });
    });
  });
}
