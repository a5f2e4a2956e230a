import { lookup } from 'node:dns/promises';
import type { SendHandle } from 'node:child_process';
import net, { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { HostError } from '../errors.js';
import type { WantedSocket } from './process-channel.js';

/** A socket of Node that is bound, as its own cluster module makes it; the types of Node omit the function. */
interface BoundSocket {
  /** 0, or the number of an error. */
  getsockname(into: { port?: number }): number;
  close(): void;
}

interface SharedSocket {
  readonly socket: Promise<BoundSocket>;
  readonly users: WeakSet<object>;
}

type Bind = (address: string, port: number, family: 4 | 6) => BoundSocket | number;

/**
 * The listening sockets of all processes. This process opens each once and keeps it, but never accepts: the
 * kernel gives a connection to a process that does, and keeps it waiting while there is none.
 */
export class SharedSockets {
  readonly #open = new Map<string, SharedSocket>();

  /** @throws Error with the code of the failure, such as EADDRINUSE. */
  async socketFor(user: object, { name, port, host }: WantedSocket): Promise<SendHandle> {
    const key = `${name} ${host ?? ''} ${port}`;
    let shared = this.#open.get(key);
    if (shared === undefined) {
      shared = { socket: bind(port, host), users: new WeakSet() };
      this.#open.set(key, shared);
      // The next process that asks tries again.
      shared.socket.catch(() => this.#open.delete(key));
    }
    shared.users.add(user);
    return (await shared.socket) as unknown as SendHandle;
  }

  /** Closes those that none of the users has asked for, where connections would wait forever. */
  async closeUnused(users: readonly object[]): Promise<void> {
    for (const [key, shared] of this.#open) {
      if (users.some((user) => shared.users.has(user))) continue;
      this.#open.delete(key);
      const [socket] = await Promise.allSettled([shared.socket]);
      if (socket.status === 'fulfilled') socket.value.close();
    }
  }
}

async function bind(port: number, host: string | undefined): Promise<BoundSocket> {
  const { _createServerHandle: create } = net as unknown as { readonly _createServerHandle?: Bind };
  if (create === undefined) {
    throw new HostError(
      `hostx: processes: Node ${process.version} cannot share listening sockets; run the app in one process`,
    );
  }
  if (host !== undefined) {
    const { address, family } = isIP(host)
      ? { address: host, family: isIP(host) }
      : await lookup(host);
    return opened(create(address, port, family === 6 ? 6 : 4), port);
  }
  // As Node does it itself: every address, IPv4 alone where the machine has no IPv6.
  const both = create('::', port, 6);
  return opened(typeof both === 'number' ? create('0.0.0.0', port, 4) : both, port);
}

function opened(socket: BoundSocket | number, port: number): BoundSocket {
  if (typeof socket === 'number') throw cannotBind(getSystemErrorName(socket));
  const name: { port?: number } = {};
  const error = socket.getsockname(name);
  // Node reports a port in use when it listens, which another process does: that would get any free port.
  if (error === 0 && (port === 0 || name.port === port)) return socket;
  socket.close();
  throw cannotBind(error === 0 ? 'EADDRINUSE' : getSystemErrorName(error));
}

function cannotBind(code: string): Error {
  return Object.assign(new HostError(`hostx: processes: cannot bind: ${code}`), { code });
}
