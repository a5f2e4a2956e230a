import { describe, expect, it } from '@jest/globals';
import type { TraceRow } from '../../../src/page-view.js';
import { failedRows, slowestRows } from './trace-rows.js';

function trace(id: string, over: Partial<TraceRow> = {}): TraceRow {
  return {
    id,
    traceId: 'a1',
    name: `GET /${id}`,
    kind: 'server',
    startedAt: 0,
    durationMs: 1,
    failed: false,
    error: null,
    spanCount: 1,
    ...over,
  };
}

const shown = {
  logged: {},
  traces: [
    trace('a', { durationMs: 20, spanCount: 1_200 }),
    trace('b', { durationMs: 30, failed: true, error: 'boom', startedAt: 1_000 }),
    trace('c', { durationMs: 10, failed: true, startedAt: 9_000 }),
  ],
};

describe('the requests', () => {
  it('are told slowest first', () => {
    const rows = slowestRows(shown, 10_000, 'a');
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['GET /b', '30.0 ms', '1', '9s ago'],
      ['GET /a', '20.0 ms', '1,200', '10s ago'],
      ['GET /c', '10.0 ms', '1', '1s ago'],
    ]);
    expect(rows.map(({ cells }) => cells[0]!.opens)).toEqual([
      { id: 'b', isOpen: false },
      { id: 'a', isOpen: true },
      { id: 'c', isOpen: false },
    ]);
  });

  it('that failed are told last first, with what went wrong', () => {
    const rows = failedRows(shown, 10_000, null);
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['GET /c', 'failed', '10.0 ms', '1s ago'],
      ['GET /b', 'boom', '30.0 ms', '9s ago'],
    ]);
  });

  it('are no more than can be read, and none where nothing keeps them', () => {
    const many = { logged: {}, traces: Array.from({ length: 50 }, (_, i) => trace(`${i}`)) };
    expect(slowestRows(many, 0, null)).toHaveLength(20);
    expect(slowestRows({ traces: [], logged: {} }, 0, null)).toEqual([]);
  });
});
