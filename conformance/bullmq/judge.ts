import type { StampedEntry } from './journal.js';

export interface Verdict {
  /** Ticks that were due between the first and the last one seen. */
  readonly ticks: number;
  /** Begins beyond the first of their tick. */
  readonly reruns: number;
  /** Ticks without a run that ended, ones that ended twice, and runs at the same time. */
  readonly mistakes: readonly string[];
}

/** Judges the runs of one job, whose times are the multiples of an interval. */
export function judge(job: string, intervalMs: number, journal: readonly StampedEntry[]): Verdict {
  const mistakes: string[] = [];
  const begun = new Map<number, number>();
  const ended = new Map<number, number>();
  const under = new Map<number, number>();
  for (const entry of journal) {
    if (entry.what === 'dead') under.delete(entry.pid);
    if (entry.job !== job || entry.tick === undefined) continue;
    const { tick, pid, what } = entry;
    if (what === 'begin') {
      begun.set(tick, (begun.get(tick) ?? 0) + 1);
      if (under.size > 0) {
        mistakes.push(`${job}: ${pid} ran ${shown(tick)} beside ${[...under.keys()].join()}`);
      }
      under.set(pid, tick);
      continue;
    }
    under.delete(pid);
    if (what === 'end') ended.set(tick, (ended.get(tick) ?? 0) + 1);
  }
  const seen = [...begun.keys()].toSorted((a, b) => a - b);
  const [first = 0] = seen;
  const last = seen.at(-1) ?? first - intervalMs;
  let ticks = 0;
  for (let tick = first; tick <= last; tick += intervalMs) {
    ticks++;
    const ends = ended.get(tick) ?? 0;
    if (ends !== 1) mistakes.push(`${job}: ${shown(tick)} ran to its end ${ends} times`);
  }
  const begins = [...begun.values()].reduce((sum, count) => sum + count, 0);
  return { ticks, reruns: begins - begun.size, mistakes };
}

function shown(tick: number): string {
  return new Date(tick).toISOString();
}
