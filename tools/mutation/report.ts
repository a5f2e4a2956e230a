import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './mutants.js';

/** `untested`: no spec file reaches it. */
export type Fate = 'killed' | 'timeout' | 'survived' | 'untested';

export interface Result extends Mutant {
  readonly fate: Fate;
  /** The spec files that were run. */
  readonly specs: readonly string[];
  readonly seconds: number;
}

/** What became of the mutants of a sample, kept in a file so that a run that was ended goes on. */
export class Report {
  readonly #results: Map<string, Result>;

  constructor(private readonly file: string) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '[]';
    const known = JSON.parse(text) as readonly Result[];
    this.#results = new Map(known.map((result) => [result.id, result]));
  }

  of({ id }: Mutant): Result | undefined {
    return this.#results.get(id);
  }

  add(result: Result): void {
    this.#results.set(result.id, result);
    mkdirSync(dirname(this.file), { recursive: true });
    writeFileSync(this.file, `${JSON.stringify([...this.#results.values()], undefined, 2)}\n`);
  }
}

/** The share of those that were killed, and every other one with its place. */
export function summaryOf(results: readonly Result[]): string {
  const isKilled = ({ fate }: Result): boolean => fate === 'killed' || fate === 'timeout';
  const killed = results.filter(isKilled).length;
  const share = results.length === 0 ? 0 : (100 * killed) / results.length;
  const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
  return [
    ...results.filter((result) => !isKilled(result)).map(survivorText),
    `${killed} of ${results.length} killed, ${share.toFixed(1)} %; ` +
      `${(seconds / Math.max(1, results.length)).toFixed(1)} s for each`,
  ].join('\n');
}

function survivorText({ fate, file, line, kind, before, after, id }: Result): string {
  const short = (text: string): string => text.replace(/\s+/g, ' ').slice(0, 60);
  return `${fate} ${id} ${file}:${line} ${kind}: ${short(before)} -> ${short(after)}`;
}
