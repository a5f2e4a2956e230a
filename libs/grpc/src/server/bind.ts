import { thrownText } from '@apix/contracts';
import { claimSocket, sharedSocket } from '@apix/hostx/core';
import type { Server } from '@grpc/grpc-js';
import { type AddressInfo, createServer } from 'node:net';
import { GrpcSetupError } from '@apix/grpc-client/core';
import { askWhileClosing } from '@apix/grpc-client/internal';
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
  if (activation === false) return bindShared(server, settings);
  const socket = claimSocket(SOCKET, activation ?? SOCKET);
  if (socket !== null) {
    const { fd, name } = socket;
    const failure = `cannot listen on the activated socket ${name} (fd ${fd})`;
    return bindSocket(server, settings, { target: { fd }, failure });
  }
  if (activation === undefined) return bindShared(server, settings);
  throw new GrpcSetupError([
    `activation: this process got no socket named ${JSON.stringify(activation)}, or another ` +
      'service uses it already; check FileDescriptorName= in the socket unit',
  ]);
}

/** Of an app in several processes, all listen on one socket. */
async function bindShared(server: Server, settings: ResolvedListenOptions): Promise<Acceptor> {
  const { host, port } = settings;
  const failure = cannotListen(addressOf(host, port));
  let handle: object | null;
  try {
    handle = await sharedSocket({ name: SOCKET, host, port });
  } catch (error) {
    throw new GrpcSetupError([`${failure}: ${thrownText(error)}`], { cause: error });
  }
  if (handle === null) return bindAddress(server, settings);
  return bindSocket(server, settings, { target: { handle }, failure });
}

function cannotListen(address: string): string {
  return `cannot listen at ${address}; check that no other process uses it`;
}

function bindAddress(server: Server, settings: ResolvedListenOptions): Promise<Acceptor> {
  const { host, port, credentials } = settings;
  const address = addressOf(host, port);
  const stopAccepting = async (): Promise<void> => {};
  return new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, bound) => {
      if (error === null) resolve({ port: bound, stopAccepting });
      else {
        const text = `${cannotListen(address)}: ${thrownText(error)}`;
        reject(new GrpcSetupError([text], { cause: error }));
      }
    });
  });
}

/** A socket that was opened outside of this process. */
export interface PassedSocket {
  /** The argument of `server.listen` of Node. */
  readonly target: { readonly fd: number } | { readonly handle: object };
  /** What the error says if that fails. */
  readonly failure: string;
}

/** grpc-js cannot listen on a socket that is bound already, but takes connections one by one. */
export function bindSocket(
  server: Server,
  { credentials }: ResolvedListenOptions,
  { target, failure }: PassedSocket,
): Promise<Acceptor> {
  const injector = server.createConnectionInjector(credentials);
  const acceptor = createServer((connection) => injector.injectConnection(connection));
  return new Promise((resolve, reject) => {
    acceptor.once('error', (error) => {
      reject(new GrpcSetupError([`${failure}: ${thrownText(error)}`], { cause: error }));
    });
    acceptor.listen(target, () => {
      const { port } = acceptor.address() as AddressInfo;
      const stopAccepting = (): Promise<void> =>
        new Promise((resolve) => void acceptor.close(() => resolve()));
      resolve({ port, stopAccepting });
    });
  });
}
