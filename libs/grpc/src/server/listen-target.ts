import { thrownText } from '@apix/contracts';
import { claimSocket, sharedSocket } from '@apix/hostx/internal';
import { GrpcSetupError } from '@apix/grpc-client/core';
import { addressOf, unixPathOf } from './address.js';
import type { ResolvedListenOptions } from './listen-options.js';

/** The default name of the socket of systemd's activation. */
const SOCKET = 'grpc';

/** A socket that was opened outside of this process. */
export interface PassedSocket {
  /** The argument of `server.listen` of Node. */
  readonly target: { readonly fd: number } | { readonly handle: object };
  /** What the error says if that fails. */
  readonly failure: string;
}

/**
 * The socket to serve: one that was passed to the process, or that its processes share; undefined where the server is
 * to open its own, at `host` and `port`.
 *
 * @throws GrpcSetupError for one that is not there.
 */
export async function passedSocket(
  settings: ResolvedListenOptions,
): Promise<PassedSocket | undefined> {
  const { activation } = settings;
  if (activation === false) return shared(settings);
  const socket = claimSocket(SOCKET, activation ?? SOCKET);
  if (socket !== null) {
    const { fd, name } = socket;
    const failure = `cannot listen on the activated socket ${name} (fd ${fd})`;
    return { target: { fd }, failure };
  }
  if (activation === undefined) return shared(settings);
  throw new GrpcSetupError([
    `activation: this process got no socket named ${JSON.stringify(activation)}, or another ` +
      'service uses it already; check FileDescriptorName= in the socket unit',
  ]);
}

/** Of an app in several processes, all listen on one socket. */
async function shared({ host, port }: ResolvedListenOptions): Promise<PassedSocket | undefined> {
  // The file of a Unix socket is made by the one process that listens there.
  if (unixPathOf(host) !== undefined) return undefined;
  const failure = cannotListen(addressOf(host, port));
  let handle: object | null;
  try {
    handle = await sharedSocket({ name: SOCKET, host, port });
  } catch (error) {
    throw new GrpcSetupError([`${failure}: ${thrownText(error)}`], { cause: error });
  }
  return handle === null ? undefined : { target: { handle }, failure };
}

export function cannotListen(address: string): string {
  return `cannot listen at ${address}; check that no other process uses it`;
}
