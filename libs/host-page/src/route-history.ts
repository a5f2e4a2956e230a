import type { Clock, ServedOutcome, ServedRequests } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import type { RouteRow, RoutesView } from './section-views.js';
import { MOMENTS, RouteSeries, summedRow } from './route-series.js';

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
    const ends = sources.map((source) => source.follow((...request) => this.#take(...request)));
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

  #take(name: string, durationMs: number, outcome: ServedOutcome): void {
    const { moment } = this;
    const key = cutText(name, MOST_NAME);
    this.#of(key, moment).add(moment, durationMs, outcome);
  }

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
