import type { ServedOutcome } from '@apix/contracts';
import type { RouteRow } from './section-views.js';

/** How many moments a plot of a route has. */
export const MOMENTS = 60;
/** One more is under way. */
const KEPT = MOMENTS + 1;

/** The figures that are kept of each moment, in the row of a route. */
const FIGURES = ['calls', 'failed', 'refused', 'totalMs', 'longestMs'] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], Float64Array>>;

/** What was counted of one route in each of the last moments; moments are numbered by the clock. */
export class RouteSeries {
  readonly #figures = Object.fromEntries(
    FIGURES.map((name) => [name, new Float64Array(KEPT)]),
  ) as unknown as Figures;
  #latest = 0;

  /** Whether nothing has been counted for so long that nothing of it is kept. */
  isOver(moment: number): boolean {
    return moment - this.#latest >= KEPT;
  }

  add(moment: number, durationMs: number, outcome: ServedOutcome): void {
    this.#advance(moment);
    const { calls, failed, refused, totalMs, longestMs } = this.#figures;
    const at = moment % KEPT;
    calls[at]! += 1;
    totalMs[at]! += durationMs;
    longestMs[at] = Math.max(longestMs[at]!, durationMs);
    if (outcome === 'failed') failed[at]! += 1;
    if (outcome === 'refused') refused[at]! += 1;
  }

  /** The moments before one, the oldest first. */
  row(name: string, before: number, count: number): RouteRow {
    this.#advance(before);
    const read = (figure: Float64Array): number[] =>
      Array.from({ length: count }, (_, index) =>
        rounded(figure[(before - count + index) % KEPT]!),
      );
    const { calls, failed, refused, totalMs, longestMs } = this.#figures;
    return {
      name,
      calls: read(calls),
      failed: read(failed),
      refused: read(refused),
      totalMs: read(totalMs),
      longestMs: read(longestMs),
    };
  }

  /** Empties the moments in which nothing was counted. */
  #advance(moment: number): void {
    const from = Math.max(this.#latest + 1, moment - MOMENTS);
    for (let passed = from; passed <= moment; passed++) {
      for (const name of FIGURES) this.#figures[name][passed % KEPT] = 0;
    }
    this.#latest = Math.max(this.#latest, moment);
  }
}

/** To microseconds: more digits would only make the message longer. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Several routes as one row. */
export function summedRow(name: string, rows: readonly RouteRow[], count: number): RouteRow {
  const summed = (figure: (typeof FIGURES)[number], join: (a: number, b: number) => number) =>
    Array.from({ length: count }, (_, at) =>
      rows.reduce((all, row) => join(all, row[figure][at]!), 0),
    );
  const plus = (a: number, b: number): number => a + b;
  return {
    name,
    calls: summed('calls', plus),
    failed: summed('failed', plus),
    refused: summed('refused', plus),
    totalMs: summed('totalMs', plus),
    longestMs: summed('longestMs', Math.max),
  };
}
