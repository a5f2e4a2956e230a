import type { Ports } from './ports.js';
import { Tally } from './tally.js';

/** Clients at work. */
export interface Load {
  readonly tally: Tally;
  /** Lets what is under way end, and no more begin. */
  finish(): Promise<void>;
}

/** Puts load on ports of the loopback interface. */
export type StartLoad = (ports: Ports) => Load;

/** A client that works until told to stop, and keeps a tally. */
export type Client = (tally: Tally, stop: AbortSignal) => Promise<void>;

/** Has every client work at the same time. */
export function loadOf(clients: readonly Client[]): Load {
  const tally = new Tally();
  const stop = new AbortController();
  const working = clients.map((client) => client(tally, stop.signal));
  return {
    tally,
    async finish() {
      stop.abort();
      await Promise.all(working);
    },
  };
}
