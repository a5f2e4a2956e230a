import type { RouteRow, RoutesView } from '../../../src/section-views.js';
import type { Mark } from '../../plot-marks.js';
import type { Cell, Row } from '../../rows.js';
import type { Spark } from '../../spark.js';
import { millisecondsText, numberText, rateText } from '../../texts.js';

/** How routes are shown. */
export interface RouteChoice {
  /** What the first has most of: `errors`, `latency`, or else calls. */
  readonly sort: string;
  /** Whether calls that were refused because of the caller are errors too. */
  readonly withRefused: boolean;
}

/** What a route has done in the time that its plots reach back. */
interface RouteFigures {
  readonly row: RouteRow;
  /** In each moment. */
  readonly errors: readonly number[];
  readonly meanMs: readonly number[];
  /** In the whole time. */
  readonly calls: number;
  readonly errorCount: number;
  readonly latencyMs: number;
  readonly longestMs: number;
}

/** A row for each route with its small plots; the row for all others comes last. */
export function routeRows(view: RoutesView, choice: RouteChoice, marks: readonly Mark[]): Row[] {
  const of = (row: RouteRow): RouteFigures => figuresOf(row, choice.withRefused);
  const sorted = view.routes.map(of).toSorted((a, b) => rank(b, choice) - rank(a, choice));
  const rest = of(view.rest);
  return [...sorted, ...(rest.calls > 0 ? [rest] : [])].map((figures) => ({
    key: figures.row.name,
    cells: cellsOf(figures, view, marks),
  }));
}

function rank({ calls, errorCount, latencyMs }: RouteFigures, { sort }: RouteChoice): number {
  if (sort === 'errors') return errorCount;
  return sort === 'latency' ? latencyMs : calls;
}

function figuresOf(row: RouteRow, withRefused: boolean): RouteFigures {
  const { calls, failed, refused, totalMs, longestMs } = row;
  const errors = failed.map((count, at) => count + (withRefused ? refused[at]! : 0));
  const all = sum(calls);
  return {
    row,
    errors,
    meanMs: totalMs.map((ms, at) => (calls[at] === 0 ? 0 : ms / calls[at]!)),
    calls: all,
    errorCount: sum(errors),
    latencyMs: all === 0 ? 0 : sum(totalMs) / all,
    longestMs: Math.max(0, ...longestMs),
  };
}

function cellsOf(figures: RouteFigures, view: RoutesView, marks: readonly Mark[]): readonly Cell[] {
  const { row, errors, meanMs, calls, errorCount, latencyMs, longestMs } = figures;
  const { at: newest, momentMs, moments: capacity } = view;
  const seconds = momentMs / 1_000;
  const window = { capacity, spanMs: capacity * momentMs, newest };
  const cell = (text: string, bars: Spark['bars'], label: string): Cell => ({
    text,
    look: 'plotted',
    spark: { bars, window, marks, label: `${label} of ${row.name}` },
  });
  const most = (values: readonly number[]): string => rateText(Math.max(0, ...values) / seconds);
  const share = calls === 0 ? 0 : (100 * errorCount) / calls;
  const percent = errorCount === 0 ? '' : ` (${numberText(Number(share.toPrecision(2)))} %)`;
  return [
    { text: row.name, look: 'text' },
    cell(
      rateText(calls / (Math.max(1, row.calls.length) * seconds)),
      [{ look: 'bars-0', values: row.calls }],
      `calls, at most ${most(row.calls)},`,
    ),
    cell(
      `${numberText(errorCount)}${percent}`,
      [{ look: 'bars-bad', values: errors }],
      `errors, at most ${most(errors)},`,
    ),
    cell(
      `${millisecondsText(latencyMs)}, at most ${millisecondsText(longestMs)}`,
      [
        { look: 'bars-1', values: row.longestMs },
        { look: 'bars-0', values: meanMs },
      ],
      'mean and longest latency',
    ),
  ];
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
