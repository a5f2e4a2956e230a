import { thrownText } from '@apix/contracts';
import type { ListenOptions, Server } from 'node:net';
import { type HostError, wrapping } from '../errors.js';

/** Where to listen: an address, or a socket that was passed to the process. */
export type Endpoint =
  | { readonly port: number; readonly host: string | undefined }
  | { readonly fd: number; readonly name: string };

/** The argument of `server.listen`; Node's types omit `fd`. */
export type ListenTarget = ListenOptions & { readonly fd?: number };

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
  const { port, host } = endpoint;
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
