import { describe, expect, it } from '@jest/globals';
import type { LogRow, LogsView } from '../../../src/section-views.js';
import { levelRows, type LogFilter, logRows, mergedLogs } from './log-rows.js';

const ALL: LogFilter = { level: '', logger: '', request: '', text: '' };

function record(id: number, over: Partial<LogRow> = {}): LogRow & { id: number } {
  const bare = { at: 0, level: 'info', logger: '', requestId: '', traceId: '', error: null };
  return { id, ...bare, message: `message ${id}`, fields: '', ...over };
}

function logs(...records: (LogRow & { id: number })[]): LogsView {
  return { records, leftOut: 0, keeps: 3, traces: [], levels: [], changeable: false };
}

describe('the log', () => {
  it('shows the newest event first, with its error', () => {
    const failed = record(2, { level: 'error', logger: 'orders', error: 'no stock' });
    const rows = logRows(logs(record(1), failed), ALL, 0);
    expect(rows.map(({ key }) => key)).toEqual(['2', '1']);
    expect(rows[0]!.cells.slice(1, 4)).toEqual([
      { text: 'error', look: 'bad' },
      { text: 'orders' },
      { text: 'message 2: no stock', look: 'text' },
    ]);
  });

  it.each<[string, Partial<LogFilter>, string[]]>([
    ['level', { level: 'warn' }, ['3', '2']],
    ['logger', { logger: 'ORD' }, ['2']],
    ['request', { request: 'r-1' }, ['2', '1']],
    ['text of the message', { text: ' Tea ' }, ['3']],
    ['text of the error', { text: 'stock' }, ['2']],
    ['text of the fields', { text: '"o-17"' }, ['1']],
    ['several', { level: 'warn', request: 'r-1' }, ['2']],
    ['nothing', {}, ['3', '2', '1']],
  ])('is filtered by %s', (_, filter, keys) => {
    const shown = logs(
      record(1, { requestId: 'r-1', fields: '{"OrderId":"o-17"}' }),
      record(2, { level: 'error', logger: 'orders', requestId: 'r-1', error: 'no stock' }),
      record(3, { level: 'warn', logger: 'stock', message: 'no tea' }),
    );
    expect(logRows(shown, { ...ALL, ...filter }, 0).map(({ key }) => key)).toEqual(keys);
  });

  it('leads to the trace of an event if that is kept', () => {
    const traces = [{ id: 'b1', name: 'GET /orders', records: [1, 3] }];
    const rows = logRows({ ...logs(record(1), record(2), record(3)), traces }, ALL, 0);
    const link = { text: 'GET /orders', look: 'text', href: '#/traces?trace=b1' };
    const none = { text: '', look: 'text' };
    expect(rows.map(({ cells }) => cells.at(-1))).toEqual([link, none, link]);
  });

  it('has the traces that are kept now', () => {
    const traces = [{ id: 'b1', name: 'GET /orders', records: [1] }];
    expect(mergedLogs(logs(record(1)), { ...logs(), traces }).traces).toEqual(traces);
  });

  it('is added up, each event once, the oldest given up', () => {
    const both = mergedLogs(logs(record(1), record(2)), logs(record(2), record(3), record(4)));
    expect(both.records.map(({ id }) => id)).toEqual([2, 3, 4]);
  });
});

describe('the table of changed levels', () => {
  const levels = [
    { logger: 'orders', level: 'debug', until: 70_000 },
    { logger: null, level: 'trace', until: null },
    { logger: 'late', level: 'debug', until: 5_000 },
  ];

  it('says for how long each applies', () => {
    const texts = levelRows({ levels }, 10_000, false).map(({ cells }) =>
      cells.map(({ text }) => text),
    );
    expect(texts).toEqual([
      ['orders', 'debug', '1m'],
      ['all loggers', 'trace', '–'],
      ['late', 'debug', '0s'],
    ]);
  });

  it('has buttons that end them for those who may', () => {
    const buttons = levelRows({ levels }, 10_000, true).map(({ cells }) => cells[3]);
    expect(buttons).toMatchObject([
      { text: 'As before', asks: { id: 'orders', label: 'Set the level of orders as before' } },
      { asks: { id: '', label: 'Set the level of all loggers as before' } },
      { asks: { id: 'late' } },
    ]);
  });
});
