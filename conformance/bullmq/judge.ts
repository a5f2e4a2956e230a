import type { StampedEntry } from './journal.js';

export interface Verdict {
  /** Ticks that were due between the first and the last one seen. */
  readonly ticks: number;
  /** Begins beyond the first of their tick. */
  readonly reruns: number;
  /** Ticks without a run that ended, ones that ended twice, and runs at the same time. */
  readonly mistakes: readonly string[];
}

export interface JobPlan {
  readonly name: string;
  readonly intervalMs: number;
  /** Whether a run takes longer than the interval, so that ticks have to be dropped. */
  readonly isSlow: boolean;
}

/** A tick that waited for the run before would begin later. */
const LATE_MS = 2_500;

/** Judges the runs of one job, whose times are the multiples of an interval. */
export function judge(plan: JobPlan, journal: readonly StampedEntry[]): Verdict {
  const { name: job, intervalMs, isSlow } = plan;
  const mistakes: string[] = [];
  const begun = new Map<number, number>();
  const ended = new Map<number, number>();
  const under = new Map<number, number>();
  for (const entry of journal) {
    if (entry.what === 'dead') under.delete(entry.pid);
    if (entry.job !== job || entry.tick === undefined) continue;
    const { tick, pid, what } = entry;
    if (what === 'begin') {
      if (!begun.has(tick) && (entry.lateMs ?? 0) > LATE_MS) {
        mistakes.push(`${job}: ${shown(tick)} began ${entry.lateMs} ms late`);
      }
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
  // The last of a slow one is cut short by the end of it all.
  const due = isSlow ? [...begun.keys()].slice(0, -1) : timesOf([...begun.keys()], intervalMs);
  for (const tick of due) {
    const ends = ended.get(tick) ?? 0;
    if (ends !== 1) mistakes.push(`${job}: ${shown(tick)} ran to its end ${ends} times`);
  }
  const begins = [...begun.values()].reduce((sum, count) => sum + count, 0);
  return { ticks: due.length, reruns: begins - begun.size, mistakes };
}

/** Every time from the first of the ticks to the last. */
function timesOf(ticks: readonly number[], intervalMs: number): number[] {
  const [first, last] = [Math.min(...ticks), Math.max(...ticks)];
  const times: number[] = [];
  for (let tick = first; tick <= last; tick += intervalMs) times.push(tick);
  return times;
}

function shown(tick: number): string {
  return new Date(tick).toISOString();
}
