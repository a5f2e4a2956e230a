import type { Clock, RequestFollower, ServedOutcome, ServedRequests } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import type { RouteRow, RoutesView } from './section-views.js';

/** How many moments a plot of a route has. */
export const MOMENTS = 60;
/** One more is under way. */
const KEPT = MOMENTS + 1;

/** The figures that are kept of each moment, in the row of a route. */
const FIGURES = ['calls', 'failed', 'refused', 'totalMs', 'longestMs'] as const;
type Figures = Readonly<Record<(typeof FIGURES)[number], Float64Array>>;

/** How many routes are counted by themselves. */
const MOST_ROUTES = 200;
/** How many of them have a row of their own. */
const MOST_ROWS = 30;
/** How many of these are for those with most failures, which need not be the busiest. */
const MOST_FAILING = 10;
/** In UTF-16 units. */
const MOST_NAME = 200;

/**
 * Counts requests and calls by route and method, in moments of equal length, as long as it follows. Nothing else runs: a
 * moment begins with what is counted in it. What is counted beyond the bounds is in one row for the rest.
 */
// Why: docs/decisions/0560
export class RouteHistory {
  readonly #series = new Map<string, RouteSeries>();
  #overflow = new RouteSeries();
  #began = 0;
  /** The moment in which there was no room for another route. */
  #fullAt = -1;
  #moment = 0;

  /** @param momentMs the length of a moment. */
  constructor(
    private readonly momentMs: number,
    private readonly clock: Clock,
  ) {}

  /** The number of the moment that is under way. */
  get moment(): number {
    const moment = Math.floor(this.clock.now() / this.momentMs);
    // A wall clock that was set back a little stands still; by more, what was counted has no place on it.
    if (moment < this.#moment - MOMENTS) this.#begin(moment);
    this.#moment = Math.max(this.#moment, moment);
    return this.#moment;
  }

  /** Begins to count; returns what ends it. */
  follow(sources: readonly ServedRequests[]): () => void {
    this.#begin(this.moment);
    const ends = sources.map((source) => source.follow(this.#take));
    return () => {
      for (const end of ends) end();
    };
  }

  /** The routes in the order of their names, and the rest as one row. */
  view(): RoutesView {
    const { moment } = this;
    const count = Math.min(MOMENTS, moment - this.#began);
    const rows = [...this.#series]
      .filter(([, series]) => !series.isOver(moment))
      .map(([name, series]) => series.row(name, moment, count));
    const shown = new Set(worthARow(rows));
    const others = rows.filter((row) => !shown.has(row));
    const rest = [...others, this.#overflow.row('', moment, count)];
    return {
      at: moment * this.momentMs,
      momentMs: this.momentMs,
      moments: MOMENTS,
      routes: [...shown].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      rest: summedRow('all others', rest, count),
    };
  }

  #begin(moment: number): void {
    this.#series.clear();
    this.#overflow = new RouteSeries();
    this.#began = this.#moment = moment;
    this.#fullAt = -1;
  }

  readonly #take: RequestFollower = (name, durationMs, outcome) => {
    const { moment } = this;
    const key = cutText(name, MOST_NAME);
    this.#of(key, moment).add(moment, durationMs, outcome);
  };

  #of(name: string, moment: number): RouteSeries {
    let series = this.#series.get(name);
    if (series !== undefined) return series;
    if (this.#series.size >= MOST_ROUTES && !this.#dropOne(moment)) return this.#overflow;
    this.#series.set(name, (series = new RouteSeries()));
    return series;
  }

  /** Makes room by a route that was not called for so long that nothing of it is left to be seen. */
  #dropOne(moment: number): boolean {
    // Room comes with time: each request of an app with many routes must not look at all of them.
    if (moment === this.#fullAt) return false;
    for (const [name, series] of this.#series) {
      if (series.isOver(moment)) return this.#series.delete(name);
    }
    this.#fullAt = moment;
    return false;
  }
}

/** What was counted of one route in each of the last moments; moments are numbered by the clock. */
class RouteSeries {
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

/** Those with most failures, and the busiest. */
function worthARow(rows: readonly RouteRow[]): readonly RouteRow[] {
  const most = (of: (row: RouteRow) => number): RouteRow[] =>
    rows.filter((row) => of(row) > 0).toSorted((a, b) => of(b) - of(a));
  const failing = most(({ failed }) => sum(failed)).slice(0, MOST_FAILING);
  const busiest = most(({ calls }) => sum(calls)).filter((row) => !failing.includes(row));
  return [...failing, ...busiest].slice(0, MOST_ROWS);
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}

/** To microseconds: more digits would only make the message longer. */
function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** Several routes as one row. */
function summedRow(name: string, rows: readonly RouteRow[], count: number): RouteRow {
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
