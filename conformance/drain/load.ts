import type { Tally } from './tally.js';

/** Clients at work. */
export interface Load {
  readonly tally: Tally;
  /** Lets what is under way end, and no more begin. */
  finish(): Promise<void>;
}

/** Puts load on a port of the loopback interface. */
export type StartLoad = (port: number) => Load;
