import { thrownText } from '@apix/contracts';
import type { ListenOptions, Server } from 'node:net';
import { type HostError, wrapping } from '../errors.js';

/** Where to listen: an address, or a socket that was passed to the process. */
export type Endpoint =
  | {
      readonly port: number;
      readonly host: string | undefined;
      /** The socket that several processes share there. Default: one of its own is opened. */
      readonly handle?: object | undefined;
    }
  | { readonly fd: number; readonly name: string };

/** The argument of `server.listen`; Node's types omit `fd` and `handle`. */
export type ListenTarget = ListenOptions & { readonly fd?: number; readonly handle?: object };

/** `server.listen` as a promise. */
export function listenDirectly(server: Server, where: ListenTarget): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The argument of Node's `listen` for an endpoint. */
export function listenOptions(endpoint: Endpoint): ListenTarget {
  if ('fd' in endpoint) return { fd: endpoint.fd };
  const { port, host, handle } = endpoint;
  if (handle !== undefined) return { handle };
  return host === undefined ? { port } : { port, host };
}

/** The error of a failed listen, with its cause explained. */
export function listenError(error: unknown, endpoint: Endpoint, service: string): HostError {
  const why = explain(error, endpoint);
  return wrapping(`hostx: http service ${service}: ${why}`, error);
}

function explain(error: unknown, endpoint: Endpoint): string {
  if ('fd' in endpoint) {
    return (
      `cannot listen on the activated socket ${endpoint.name} (fd ${endpoint.fd}): ` +
      `${thrownText(error)}; it must be a listening stream socket, and can be used by one start only`
    );
  }
  const at = `${endpoint.host ?? 'any address'}, port ${endpoint.port}`;
  switch (String((error as NodeJS.ErrnoException).code)) {
    case 'EADDRINUSE':
      return `${at} is in use; stop the process that listens there, or choose another port (0 picks a free one)`;
    case 'EACCES':
      return `not permitted to listen on ${at}; choose a port of at least 1024, or grant the permission`;
    case 'EADDRNOTAVAIL':
      return `${at}: this machine does not have this address`;
    case 'ENOTFOUND':
      return `${at}: the host name is unknown`;
    default:
      return `cannot listen on ${at}: ${thrownText(error)}`;
  }
}

/** `host:port`, with an IPv6 host in brackets; the path of a Unix socket; '' where unbound. */
export function boundAddress(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return address ?? '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}

/** A listening socket that was passed to the process. */
export interface ActivatedSocket {
  readonly fd: number;
  /** Its `FileDescriptorName=`; 'unknown' if none was given. */
  readonly name: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** The first file descriptor that systemd passes (sd_listen_fds(3)). */
const FIRST_FD = 3;

const claimed = new Set<number>();

/**
 * The sockets that `LISTEN_FDS`, `LISTEN_PID` and `LISTEN_FDNAMES` announce to this process, as in
 * sd_listen_fds(3). Variables meant for another process id are ignored.
 */
export function activatedSockets(env: Env, pid: number): readonly ActivatedSocket[] {
  const count = Number(env['LISTEN_FDS']);
  if (env['LISTEN_PID'] !== String(pid) || !Number.isInteger(count) || count <= 0) return [];
  const names = env['LISTEN_FDNAMES']?.split(':') ?? [];
  return Array.from({ length: count }, (_, index) => ({
    fd: FIRST_FD + index,
    name: names[index] || 'unknown',
  }));
}

/**
 * The socket for a service: the one that is called `wanted`, or, with `wanted` undefined, the
 * one called like the service or else the only one there is. A socket is given out once.
 */
export function claimSocket(
  service: string,
  wanted: string | undefined,
  sockets: readonly ActivatedSocket[] = activatedSockets(process.env, process.pid),
  taken: Set<number> = claimed,
): ActivatedSocket | null {
  const name = wanted ?? service;
  const only = wanted === undefined && sockets.length === 1 ? sockets[0] : undefined;
  const found = sockets.find((socket) => socket.name === name) ?? only;
  if (found === undefined || taken.has(found.fd)) return null;
  taken.add(found.fd);
  return found;
}
