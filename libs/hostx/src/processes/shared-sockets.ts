import { lookup } from 'node:dns/promises';
import type { SendHandle } from 'node:child_process';
import net, { isIP } from 'node:net';
import { getSystemErrorName } from 'node:util';
import { HostError } from '../errors.js';
import type { WantedSocket } from './process-channel.js';

/** A socket of Node that is bound, as its own cluster module makes it; the types of Node omit the function. */
interface BoundSocket {
  close(): void;
}
type Bind = (address: string, port: number, family: 4 | 6) => BoundSocket | number;

/**
 * The listening sockets of all processes. This process opens each once and keeps it, but never accepts: the
 * kernel gives a connection to a process that does, and keeps it waiting while there is none.
 */
export class SharedSockets {
  readonly #open = new Map<string, Promise<BoundSocket>>();

  /** @throws Error with the code of the failure, such as EADDRINUSE. */
  async socketFor({ name, port, host }: WantedSocket): Promise<SendHandle> {
    const key = `${name} ${host ?? ''} ${port}`;
    let socket = this.#open.get(key);
    if (socket === undefined) {
      socket = bind(port, host);
      this.#open.set(key, socket);
      // The next one who asks tries again.
      socket.catch(() => this.#open.delete(key));
    }
    return (await socket) as unknown as SendHandle;
  }

  async close(): Promise<void> {
    for (const socket of await Promise.allSettled(this.#open.values())) {
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
    return opened(create(address, port, family === 6 ? 6 : 4));
  }
  // As Node does it itself: every address, IPv4 alone where the machine has no IPv6.
  const both = create('::', port, 6);
  return opened(typeof both === 'number' ? create('0.0.0.0', port, 4) : both);
}

function opened(socket: BoundSocket | number): BoundSocket {
  if (typeof socket !== 'number') return socket;
  const code = getSystemErrorName(socket);
  throw Object.assign(new HostError(`hostx: processes: cannot bind: ${code}`), { code });
}
