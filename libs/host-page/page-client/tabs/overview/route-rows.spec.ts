import { describe, expect, it } from '@jest/globals';
import type { RouteRow } from '../../../src/section-views.js';
import type { Mark } from '../../plot-marks.js';
import { type RouteChoice, routeRows } from './route-rows.js';

function route(name: string, over: Partial<RouteRow> = {}): RouteRow {
  const nothing = [0, 0];
  return {
    name,
    calls: nothing,
    failed: nothing,
    refused: nothing,
    totalMs: nothing,
    longestMs: nothing,
    ...over,
  };
}

const view = {
  at: 60_000,
  momentMs: 5_000,
  moments: 60,
  routes: [
    route('GET /a', { calls: [30, 10], refused: [4, 0], totalMs: [60, 40], longestMs: [9, 20] }),
    route('GET /b', { calls: [2, 0], failed: [1, 0], totalMs: [2_400, 0], longestMs: [2_000, 0] }),
    route('GET /c', { calls: [3, 3], totalMs: [0.6, 0.6], longestMs: [0.2, 0.2] }),
  ],
  rest: route('all others', { calls: [1, 0], totalMs: [4, 0], longestMs: [4, 0] }),
};
const byCalls: RouteChoice = { sort: '', withRefused: false };
const marks: readonly Mark[] = [{ at: 50_000, look: 'restart', text: 'outbox: restart 1' }];
const texts = (choice: RouteChoice) =>
  routeRows(view, choice, []).map(({ cells }) => cells.map(({ text }) => text));
const names = (choice: RouteChoice) => texts(choice).map(([name]) => name);

describe('the routes', () => {
  it('have their rate, errors and latency over the time that is kept, the rest last', () => {
    expect(texts(byCalls)).toEqual([
      ['GET /a', '4.00/s', '0', '2.50 ms, at most 20.0 ms'],
      ['GET /c', '0.60/s', '0', '0.20 ms, at most 0.20 ms'],
      ['GET /b', '0.20/s', '1 (50 %)', '1.20 s, at most 2.00 s'],
      ['all others', '0.10/s', '0', '4.00 ms, at most 4.00 ms'],
    ]);
  });

  it('come in the order that was chosen', () => {
    expect(names({ ...byCalls, sort: 'errors' })).toEqual([
      'GET /b',
      'GET /a',
      'GET /c',
      'all others',
    ]);
    expect(names({ ...byCalls, sort: 'latency' })).toEqual([
      'GET /b',
      'GET /a',
      'GET /c',
      'all others',
    ]);
  });

  it('count what was refused as errors by choice', () => {
    const choice = { sort: 'errors', withRefused: true };
    expect(texts(choice)[0]).toEqual(['GET /a', '4.00/s', '4 (10 %)', '2.50 ms, at most 20.0 ms']);
    const [row] = routeRows(view, choice, []);
    expect(row!.cells[2]!.spark!.bars).toEqual([{ look: 'bars-bad', values: [4, 0] }]);
  });

  it('have a small plot of each figure, with the marks, which says what it shows', () => {
    const [row] = routeRows(view, byCalls, marks);
    const sparks = row!.cells.map(({ spark }) => spark);
    expect(sparks[0]).toBeUndefined();
    expect(sparks.slice(1).map((spark) => [spark!.label, spark!.marks, spark!.window])).toEqual(
      [
        'calls, at most 6.00/s, of GET /a',
        'errors, at most 0/s, of GET /a',
        'mean and longest latency of GET /a',
      ].map((label) => [label, marks, { capacity: 60, spanMs: 300_000, newest: 60_000 }]),
    );
    expect(sparks[3]!.bars.map(({ values }) => values)).toEqual([
      [9, 20],
      [2, 4],
    ]);
  });

  it('are none where nothing was called', () => {
    expect(routeRows({ ...view, routes: [], rest: route('all others') }, byCalls, [])).toEqual([]);
  });
});
