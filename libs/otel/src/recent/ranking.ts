import type { LocalTrace } from './local-trace.js';

/** A trace in a list, with what decides about its place. */
interface RankedTrace {
  readonly trace: LocalTrace;
  readonly name: string;
  readonly rank: number;
}

/**
 * The traces of the highest rank. One name gets at most a share of the places, so that a probe every second
 * leaves room for the rest.
 */
export class Ranking {
  #entries: RankedTrace[] = [];
  readonly #share: number;

  constructor(private readonly most: number) {
    this.#share = Math.ceil(most / 4);
  }

  get traces(): readonly LocalTrace[] {
    return this.#entries.map(({ trace }) => trace);
  }

  has(trace: LocalTrace): boolean {
    return this.#entries.some((entry) => entry.trace === trace);
  }

  /** Whether a trace of this name ranks high enough to be taken. */
  wouldTake(name: string, rank: number): boolean {
    const rival = this.#rivalOf(name);
    return rival === undefined || rival.rank <= rank;
  }

  /** Takes a trace, and returns the one that had to go for it. */
  take(trace: LocalTrace, name: string, rank: number): LocalTrace | undefined {
    const rival = this.#rivalOf(name);
    if (rival !== undefined) this.#entries.splice(this.#entries.indexOf(rival), 1);
    this.#entries.push({ trace, name, rank });
    return rival?.trace;
  }

  /** Removes what ended before a moment. */
  expire(before: number): readonly LocalTrace[] {
    if (this.#entries.every(({ trace }) => trace.endedAt >= before)) return [];
    const gone = this.#entries.filter(({ trace }) => trace.endedAt < before);
    this.#entries = this.#entries.filter(({ trace }) => trace.endedAt >= before);
    return gone.map(({ trace }) => trace);
  }

  /** The lowest of its own name if that has its share; the lowest of all if every place is taken. */
  #rivalOf(name: string): RankedTrace | undefined {
    let own = 0;
    let lowestOwn: RankedTrace | undefined;
    let lowest: RankedTrace | undefined;
    for (const entry of this.#entries) {
      if (lowest === undefined || entry.rank < lowest.rank) lowest = entry;
      if (entry.name !== name) continue;
      own += 1;
      if (lowestOwn === undefined || entry.rank < lowestOwn.rank) lowestOwn = entry;
    }
    if (own >= this.#share) return lowestOwn;
    return this.#entries.length < this.most ? undefined : lowest;
  }
}
