import { appendFileSync, readFileSync } from 'node:fs';

/** A begin or an end of a run, or the death of a process. */
export interface Entry {
  readonly what: 'begin' | 'end' | 'aborted' | 'dead';
  readonly pid: number;
  /** Of a run. */
  readonly job?: string;
  /** The time on the schedule, in milliseconds since the epoch. */
  readonly tick?: number;
  /** How long after it the run began, in milliseconds. */
  readonly lateMs?: number;
}

export interface StampedEntry extends Entry {
  /** By the clock that all processes of the machine share, in milliseconds. */
  readonly at: number;
}

/** Written before anything else happens, so that a kill loses nothing. */
export function note(file: string, entry: Entry): void {
  const at = Number(process.hrtime.bigint() / 1_000n) / 1_000;
  appendFileSync(file, `${JSON.stringify({ ...entry, at })}\n`);
}

/** All entries, in the order of time. */
export function readJournal(file: string): StampedEntry[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as StampedEntry).toSorted((a, b) => a.at - b.at);
}
