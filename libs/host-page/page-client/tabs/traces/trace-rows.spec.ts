import { describe, expect, it } from '@jest/globals';
import type { TraceRow } from '../../../src/section-views.js';
import { event } from '../../page.fixture.js';
import { failureRows, slowestRows } from './trace-rows.js';

function trace(id: string, over: Partial<TraceRow> = {}): TraceRow {
  return {
    id,
    traceId: 'a1',
    name: `GET /${id}`,
    kind: 'server',
    startedAt: 0,
    durationMs: 1,
    failed: false,
    refused: false,
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
    const rows = failureRows({ ...shown, events: [], withRefused: false }, 10_000, null);
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['GET /c', 'failed', '10.0 ms', '1s ago'],
      ['GET /b', 'boom', '30.0 ms', '9s ago'],
    ]);
  });

  it('that were refused are failures by choice', () => {
    const traces = [trace('a', { refused: true, error: '404' }), trace('b', { failed: true })];
    const texts = (withRefused: boolean) =>
      failureRows({ traces, events: [], withRefused }, 0, null).map(({ cells }) => [
        cells[0]!.text,
        cells[1]!.text,
        cells[1]!.look,
      ]);
    const failed = ['GET /b', 'failed', 'text bad'];
    expect(texts(false)).toEqual([failed]);
    expect(texts(true)).toEqual([['GET /a', '404', 'text busy'], failed]);
  });

  it('are among the crashes and the checks that failed, the latest first', () => {
    const events = [
      event(1, { at: 500, level: 'warning', mark: 'restart', subject: 'outbox', text: 'crash' }),
      event(2, { at: 2_000, level: 'error', subject: 'db', text: 'the check fails: gone' }),
      event(3, { at: 3_000, level: 'warning', text: 'a note' }),
      event(4, { at: 3_000, mark: 'restart', text: 'asked for' }),
    ];
    const rows = failureRows({ ...shown, events, withRefused: false }, 10_000, null);
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['GET /c', 'failed', '10.0 ms', '1s ago'],
      ['db', 'the check fails: gone', '', '8s ago'],
      ['GET /b', 'boom', '30.0 ms', '9s ago'],
      ['outbox', 'crash', '', '9s ago'],
    ]);
    expect(rows.map(({ cells }) => cells[0]!.opens === undefined)).toEqual([
      false,
      true,
      false,
      true,
    ]);
  });

  it('are no more than can be read, and none where nothing keeps them', () => {
    const many = { logged: {}, traces: Array.from({ length: 50 }, (_, i) => trace(`${i}`)) };
    expect(slowestRows(many, 0, null)).toHaveLength(20);
    expect(slowestRows({ traces: [], logged: {} }, 0, null)).toEqual([]);
  });
});
