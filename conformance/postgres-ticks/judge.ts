import { readFileSync } from 'node:fs';

interface Entry {
  readonly what: 'begin' | 'end';
  readonly job: string;
  readonly tick: number;
  readonly pid: number;
  readonly at: number;
}

export interface Verdict {
  readonly ticks: number;
  /** Ticks that more than one replica began. */
  readonly twice: readonly string[];
  /** Ticks that nobody began, nor had claimed and was killed before. */
  readonly lost: readonly string[];
  /** Ticks that were claimed or begun, and never ended. */
  readonly unended: readonly string[];
  readonly lateMs: { readonly median: number; readonly most: number };
}

/** From and to, in which ticks need not run, as there is no database. */
export type Outage = readonly [number, number] | null;

export interface Plan {
  readonly intervalMs: number;
  readonly outage?: Outage;
  /** What the database knows of the ticks that replicas have got, as job and tick. */
  readonly claimed?: readonly string[];
}

/** Judges a journal of jobs whose times are the multiples of an interval. */
export function judge(
  journal: string,
  jobs: readonly string[],
  { intervalMs, outage = null, claimed = [] }: Plan,
): Verdict {
  const lines = readFileSync(journal, 'utf8').split('\n').filter(Boolean);
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  const begins = countOf(entries.filter(({ what }) => what === 'begin'));
  const ends = countOf(entries.filter(({ what }) => what === 'end'));
  const got = new Set([...begins.keys(), ...claimed]);
  const times = entries.map(({ tick }) => tick);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const due: string[] = [];
  // The last may be cut off by the end.
  for (let tick = first + intervalMs; tick < last; tick += intervalMs) {
    if (outage !== null && tick >= outage[0] && tick <= outage[1]) continue;
    due.push(...jobs.map((job) => `${job} ${tick}`));
  }
  const late = entries
    .filter(({ what, job, tick }) => what === 'begin' && begins.get(`${job} ${tick}`) === 1)
    .map(({ at, tick }) => at - tick)
    .toSorted((a, b) => a - b);
  return {
    ticks: due.length,
    twice: [...begins].filter(([, count]) => count > 1).map(([key]) => key),
    lost: due.filter((key) => !got.has(key)),
    unended: due.filter((key) => got.has(key) && !ends.has(key)),
    lateMs: { median: late[Math.floor(late.length / 2)] ?? 0, most: late.at(-1) ?? 0 },
  };
}

function countOf(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { job, tick } of entries) {
    const key = `${job} ${tick}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}
