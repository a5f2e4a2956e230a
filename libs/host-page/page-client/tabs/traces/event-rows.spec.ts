import { describe, expect, it } from '@jest/globals';
import type { LogRow, TraceLogView, TraceView } from '../../../src/section-views.js';
import { eventRows, gapText } from './event-rows.js';

const TRACE = { startedAt: 1_000.4 } as TraceView;

function log(gap: TraceLogView['gap'], ...rows: Partial<LogRow>[]): TraceLogView {
  const bare = { level: 'info', logger: '', requestId: '', traceId: 'a1', error: null, fields: '' };
  const records = rows.map((row, i) => ({ ...bare, at: 1_000, message: 'm', id: i + 1, ...row }));
  return { records, gap };
}

describe('the log of a trace', () => {
  it('says how long after its start each event was, and leads to those of the request', () => {
    const shown = log(
      null,
      { at: 1_000, requestId: 'r 1' },
      { at: 1_240.4, level: 'error', logger: 'orders', message: 'Failed', error: 'no stock' },
    );
    expect(eventRows(TRACE, shown)).toEqual([
      {
        key: '1',
        cells: [
          { text: '0 ms', look: 'number', title: '1970-01-01T00:00:01.000Z' },
          { text: 'info', look: '' },
          { text: '' },
          { text: 'm', look: 'text' },
          { text: 'r 1', look: 'text', href: '#/logs?request=r+1' },
        ],
      },
      {
        key: '2',
        cells: [
          { text: '240 ms', look: 'number', title: '1970-01-01T00:00:01.240Z' },
          { text: 'error', look: 'bad' },
          { text: 'orders' },
          { text: 'Failed: no stock', look: 'text' },
          { text: '', look: 'text', href: undefined },
        ],
      },
    ]);
  });

  it.each([
    [null, /^$/],
    ['unwatched', /only while Logs or Traces is open/],
    ['flood', /too many to keep/],
    ['replaced', /later ones have replaced them/],
  ] as const)('says why events may be missing: %s', (gap, expected) => {
    expect(gapText(log(gap))).toMatch(expected);
  });
});
