import type { Door, Site } from './site.js';

/** Attacks through a door; resolves with what came of it, in a few words. */
export type Attack = (site: Site, door: Door) => Promise<string>;

/** One row of the table. */
export interface Row {
  /** A sentence that begins with what is attacked or sent. */
  readonly name: string;
  readonly doors: readonly Door[];
  readonly attack: Attack;
  /** What must come. */
  readonly comes: RegExp;
  /** Whether handlers for keepers alone may run, because the row shows who it is. Default: no. */
  readonly enters?: boolean;
  /** Whether processes are started again before it, so that memory of other rows hides none. */
  readonly fresh?: boolean;
  /** How much larger a process may be meanwhile than before, in MB. Default: {@link GROWTH_MB}. */
  readonly growthMb?: number;
  /** How long the attack may take, in milliseconds. Default: {@link LIMIT_MS}. */
  readonly limitMs?: number;
}

export const GROWTH_MB = 128;
export const LIMIT_MS = 15_000;
