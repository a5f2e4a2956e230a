import { setTimeout as sleep } from 'node:timers/promises';
import type { Ports } from './ports.js';
import { Tally } from './tally.js';

/** Clients at work. */
export interface Load {
  readonly tally: Tally;
  /** Lets what is under way end, and no more begin. */
  finish(): Promise<void>;
}

/** Puts load on ports of the loopback interface. @param thinkMs how long a caller thinks at most before it asks again. */
export type StartLoad = (ports: Ports, thinkMs: number) => Load;

/** A client that works until told to stop, keeps a tally, and thinks before it asks again. */
export type Client = (tally: Tally, stop: AbortSignal, think: () => Promise<void>) => Promise<void>;

/** Has every client work at the same time. */
export function loadOf(clients: readonly Client[], thinkMs: number): Load {
  const tally = new Tally();
  const stop = new AbortController();
  const think = (): Promise<void> => sleep(Math.random() * thinkMs);
  const working = clients.map((client) => client(tally, stop.signal, think));
  return {
    tally,
    async finish() {
      stop.abort();
      await Promise.all(working);
    },
  };
}
