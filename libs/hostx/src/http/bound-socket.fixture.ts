import * as net from 'node:net';

/** A socket for another process to serve, as systemd holds it: no one accepts on it here. */
export interface BoundSocket {
  readonly fd: number;
  readonly port: number;
  close(): void;
}

interface Handle {
  readonly fd: number;
  getsockname(into: { port?: number }): void;
  close(): void;
}

interface Internals {
  _createServerHandle(address: string, port: number, family: 4): Handle | number;
}

/**
 * On a free port of the loopback interface. A `net.Server` would do, but accept connections that
 * are meant for the other process.
 */
export function boundSocket(): BoundSocket {
  const handle = (net as unknown as Internals)._createServerHandle('127.0.0.1', 0, 4);
  if (typeof handle === 'number') throw new Error(`cannot bind a socket: error ${handle}`);
  const name: { port?: number } = {};
  handle.getsockname(name);
  return { fd: handle.fd, port: name.port!, close: () => handle.close() };
}
