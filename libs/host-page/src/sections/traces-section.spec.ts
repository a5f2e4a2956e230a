import { describe, expect, it } from '@jest/globals';
import type { RecentTrace, RecentTraceSpans, TraceSource } from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import { LogTail } from './log-tail.js';
import { traceRows, traceText, tracesSection } from './traces-section.js';

const TRACE: RecentTrace = {
  id: 'b1',
  traceId: 'a1',
  name: 'GET /orders',
  kind: 'server',
  startedAt: 1,
  durationMs: 2,
  failed: true,
  refused: false,
  error: 'boom',
  spanCount: 1,
};

const SPAN: RecentTraceSpans['spans'][number] = {
  id: 'b1',
  parentId: null,
  name: 'GET /orders',
  kind: 'server',
  startedAt: 1,
  durationMs: 2,
  status: 'error',
  message: 'boom',
  attributes: { 'http.route': '/orders' },
};

function sourceOf(traces: readonly RecentTrace[], spans = [SPAN]): TraceSource {
  return {
    traces: () => traces,
    trace: (id) => (id === TRACE.id ? { ...TRACE, spans, leftOut: 0 } : undefined),
  };
}

const broken: TraceSource = {
  traces: () => {
    throw new Error('boom');
  },
  trace: () => {
    throw new Error('boom');
  },
};

const ignore = (): void => {};
const noLog = new LogTail([], fakeClock(), () => new Set());

describe('the traces of the page', () => {
  it('are those of all sources; one that throws is left out', () => {
    const failures: unknown[] = [];
    const rows = traceRows(
      [broken, sourceOf([TRACE]), sourceOf([{ ...TRACE, id: 'b2' }])],
      (...failure) => failures.push(failure),
    );
    expect(rows).toEqual([
      expect.objectContaining({ id: 'b1' }),
      expect.objectContaining({ id: 'b2' }),
    ]);
    expect(failures).toEqual([['source 1', 'traces', new Error('boom')]]);
    expect(traceRows([broken], ignore)).toEqual([]);
    expect(tracesSection([], noLog, ignore).isPresent!()).toBe(false);
  });

  it('are told with their spans when they are asked for', () => {
    const found = JSON.parse(traceText([broken, sourceOf([])], noLog, 'b1')!) as unknown;
    expect(found).toEqual({ ...TRACE, spans: [SPAN], leftOut: 0, log: null });
    expect(traceText([sourceOf([])], noLog, 'b2')).toBeUndefined();
  });

  it('are bounded, whatever a source keeps', () => {
    const long = { ...TRACE, name: 'n'.repeat(10_000), error: 'e'.repeat(10_000) };
    const rows = traceRows([sourceOf(Array.from({ length: 10_000 }, () => long))], ignore);
    expect(rows).toHaveLength(600);
    expect([rows[0]!.name.length, rows[0]!.error!.length]).toEqual([500, 500]);
    const spans = Array.from({ length: 2_000 }, () => SPAN);
    const found = JSON.parse(traceText([sourceOf([], spans)], noLog, 'b1')!) as RecentTraceSpans;
    expect([found.spans.length, found.leftOut]).toEqual([500, 1_500]);
  });
});
