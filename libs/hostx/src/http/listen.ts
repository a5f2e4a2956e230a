import type { Server } from 'node:net';
import { HostError, messageOf } from '../errors.js';

/** Where to listen: an address, or a socket that was passed to the process. */
export type Endpoint =
  | { readonly port: number; readonly host: string | undefined }
  | { readonly fd: number; readonly name: string };

/** Resolves once connections are accepted. @throws HostError that says what stands in the way. */
export async function listen(server: Server, endpoint: Endpoint, service: string): Promise<void> {
  const where =
    'fd' in endpoint
      ? { fd: endpoint.fd }
      : { port: endpoint.port, ...(endpoint.host !== undefined && { host: endpoint.host }) };
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(where, () => {
        server.off('error', reject);
        resolve();
      });
    });
  } catch (error) {
    throw new HostError(`hostx: http service ${service}: ${explain(error, endpoint)}`, {
      cause: error,
    });
  }
}

function explain(error: unknown, endpoint: Endpoint): string {
  if ('fd' in endpoint) {
    return (
      `cannot listen on the activated socket ${endpoint.name} (fd ${endpoint.fd}): ` +
      `${messageOf(error)}; it must be a listening stream socket, and serves only one start`
    );
  }
  const at = `${endpoint.host ?? 'any address'}, port ${endpoint.port}`;
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `${at} is in use; stop whatever listens there or choose another port (0 picks one)`;
    case 'EACCES':
      return `not permitted to listen on ${at}; choose a port from 1024 up or grant the right`;
    case 'EADDRNOTAVAIL':
      return `${at}: this machine has no such address`;
    case 'ENOTFOUND':
      return `${at}: no such host name`;
    default:
      return `cannot listen on ${at}: ${messageOf(error)}`;
  }
}

/** `host:port`, with an IPv6 host in brackets; the path of a Unix socket; '' where unbound. */
export function boundAddress(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return address ?? '';
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}
