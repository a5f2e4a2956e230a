import type { RecentTrace } from '@apix/contracts';
import { fakeClock, type FakeClock } from '@apix/contracts/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { TracerProvider } from '@opentelemetry/sdk-trace';
import { RecentTraces, type RecentTracesOptions } from './recent-traces.js';

const AT = 1_700_000_000_000;

let clock: FakeClock;
let recent: RecentTraces;
let provider: TracerProvider;
let tracer: Tracer;

function keep(options: RecentTracesOptions = {}): void {
  recent = new RecentTraces({ clock, ...options });
  provider = new TracerProvider({ spanProcessors: [recent] });
  tracer = provider.getTracer('test');
}

beforeEach(() => {
  clock = fakeClock();
  keep();
});
afterEach(() => provider.shutdown());

/** A caller's span of another process. */
const remote = (traceId = 'a'.repeat(32)): Context =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: 'b'.repeat(16),
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  });

interface RequestMade {
  readonly failed?: boolean;
  readonly from?: Context;
  readonly attributes?: Attributes;
}

const status = (code: number): RequestMade => ({
  attributes: { 'http.response.status_code': code },
});

/** A request of so many milliseconds. */
function request(
  name: string,
  ms: number,
  { failed = false, from = ROOT_CONTEXT, attributes = {} }: RequestMade = {},
): void {
  const span = tracer.startSpan(name, { kind: SpanKind.SERVER, startTime: AT, attributes }, from);
  if (failed) span.setStatus({ code: SpanStatusCode.ERROR, message: 'boom' });
  span.end(AT + ms);
}

const names = (): readonly string[] => recent.traces().map(({ name }) => name);
const only = () => recent.trace(recent.traces()[0]!.id)!;

describe('recent traces', () => {
  it('are trees of spans, with what is to be seen of them', () => {
    const root = tracer.startSpan(
      'GET /orders',
      { kind: SpanKind.SERVER, startTime: AT },
      remote(),
    );
    const inside = trace.setSpan(ROOT_CONTEXT, root);
    const options: SpanOptions = { kind: SpanKind.CLIENT, startTime: AT + 10 };
    const query = tracer.startSpan('SELECT', options, inside);
    query.setAttributes({ 'db.rows': 3, 'db.tables': ['orders', 'items'], cached: false });
    query.recordException(new Error('gone'));
    query.setStatus({ code: SpanStatusCode.ERROR, message: 'gone' });
    query.end(AT + 40);
    root.setAttribute('error.type', '500');
    root.setStatus({ code: SpanStatusCode.ERROR });
    root.end(AT + 50.5);
    const { spanId } = root.spanContext();
    const summary = {
      id: spanId,
      traceId: 'a'.repeat(32),
      name: 'GET /orders',
      kind: 'server',
      startedAt: AT,
      durationMs: 50.5,
      failed: true,
      refused: false,
      error: '500',
      spanCount: 2,
    };
    expect(recent.traces()).toEqual([summary]);
    expect(recent.trace(spanId)).toEqual({
      ...summary,
      leftOut: 0,
      spans: [
        {
          id: spanId,
          parentId: 'b'.repeat(16),
          name: 'GET /orders',
          kind: 'server',
          startedAt: AT,
          durationMs: 50.5,
          status: 'error',
          message: null,
          attributes: { 'error.type': '500' },
        },
        {
          id: query.spanContext().spanId,
          parentId: spanId,
          name: 'SELECT',
          kind: 'client',
          startedAt: AT + 10,
          durationMs: 30,
          status: 'error',
          message: 'gone',
          attributes: { 'db.rows': '3', 'db.tables': '["orders","items"]', cached: 'false' },
        },
      ],
    });
  });

  it('take spans that begin or end after the first has ended', () => {
    const root = tracer.startSpan('GET /');
    const inside = trace.setSpan(ROOT_CONTEXT, root);
    const late = tracer.startSpan('late', {}, inside);
    root.end();
    const later = tracer.startSpan('later', {}, trace.setSpan(inside, late));
    late.end();
    later.end();
    expect(only().spans.map(({ name }) => name)).toEqual(['GET /', 'late', 'later']);
  });

  it('are several where a caller sends one trace id with several requests', () => {
    for (let i = 0; i < 3; i++) request('GET /', 10 + i, { from: remote() });
    expect(recent.traces().map(({ traceId }) => traceId)).toEqual(Array(3).fill('a'.repeat(32)));
    expect(new Set(recent.traces().map(({ id }) => id)).size).toBe(3);
  });

  it('are the slowest, and the last that failed', async () => {
    keep({ traces: 4 });
    for (let i = 1; i <= 10; i++) request(`slow ${i}`, i * 10);
    for (let i = 1; i <= 10; i++) {
      await clock.advance(1);
      request(`failed ${i}`, 1, { failed: true });
    }
    expect(names()).toEqual([
      'slow 7',
      'slow 8',
      'slow 9',
      'slow 10',
      'failed 7',
      'failed 8',
      'failed 9',
      'failed 10',
    ]);
  });

  it('are the last that were refused too, in places of their own', async () => {
    keep({ traces: 4 });
    for (let i = 1; i <= 4; i++) request(`slow ${i}`, 50);
    request('failed', 1, { failed: true, ...status(503) });
    for (let i = 1; i <= 10; i++) {
      await clock.advance(1);
      request(`refused ${i}`, 1, status(404));
    }
    expect(names()).toEqual([
      ...[1, 2, 3, 4].map((i) => `slow ${i}`),
      'failed',
      ...[7, 8, 9, 10].map((i) => `refused ${i}`),
    ]);
    const seen = recent.traces().map(({ failed, refused, error }) => [failed, refused, error]);
    expect(seen.slice(3, 6)).toEqual([
      [false, false, null],
      [true, false, 'boom'],
      [false, true, '404'],
    ]);
  });

  it.each<[Attributes, SpanKind, string | null]>([
    [{ 'http.response.status_code': 399 }, SpanKind.SERVER, null],
    [{ 'http.response.status_code': 400 }, SpanKind.SERVER, '400'],
    [{ 'http.response.status_code': 499 }, SpanKind.SERVER, '499'],
    [{ 'http.response.status_code': 404 }, SpanKind.CLIENT, null],
    [{ 'rpc.status_code': 'NOT_FOUND' }, SpanKind.SERVER, 'NOT_FOUND'],
    [{ 'rpc.status_code': 'OK' }, SpanKind.SERVER, null],
    [{ 'rpc.status_code': 'CANCELLED' }, SpanKind.SERVER, null],
  ])('with %j, of kind %i, are refused with %s', (attributes, kind, refusal) => {
    tracer.startSpan('GET /', { kind, attributes }).end();
    const [{ refused, error }] = recent.traces() as [RecentTrace];
    expect([refused, error]).toEqual([refusal !== null, refusal]);
  });

  it('leave room for others, however often one name comes', async () => {
    request('GET /orders', 5, { failed: true });
    for (let i = 0; i < 1_000; i++) {
      await clock.advance(1);
      request('GET /readyz', 10, { failed: true });
    }
    expect(names().filter((name) => name === 'GET /readyz')).toHaveLength(5);
    expect(names()).toContain('GET /orders');
  });

  it('are no more for callers who send many names, or one trace id many times', () => {
    for (let i = 0; i < 20_000; i++)
      request(`GET /${i}`, i % 100, { failed: i % 2 === 0, from: remote() });
    expect(recent.traces().length).toBeLessThanOrEqual(40);
  });

  it('are forgotten when they are too old', async () => {
    keep({ window: '1m' });
    request('first', 10);
    await clock.advance(59_000);
    request('second', 5, { failed: true });
    await clock.advance(1_001);
    expect(names()).toEqual(['second']);
    await clock.advance(60_000);
    expect(recent.traces()).toEqual([]);
    expect(recent.trace('nothing')).toBeUndefined();
  });

  it('keep so many spans, and say how many they have left out', () => {
    keep({ spans: 3 });
    const root = tracer.startSpan('GET /');
    const inside = trace.setSpan(ROOT_CONTEXT, root);
    for (let i = 0; i < 5; i++) tracer.startSpan(`${i}`, {}, inside).end();
    root.end();
    expect(only().spans.map(({ name }) => name)).toEqual(['GET /', '0', '1']);
    expect(only().leftOut).toBe(3);
  });

  it('have bounded texts, whatever a span has', () => {
    const span = tracer.startSpan('n'.repeat(10_000));
    for (let i = 0; i < 100; i++) span.setAttribute(`${i}`.repeat(1_000), 'v'.repeat(100_000));
    span.setAttribute('list', Array(1_000).fill('x'.repeat(1_000)));
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'm'.repeat(100_000) });
    span.end();
    const [{ name, message, attributes }] = only().spans as never as [
      { name: string; message: string; attributes: Record<string, string> },
    ];
    expect([name.length, message.length]).toEqual([200, 500]);
    expect(JSON.stringify(attributes).length).toBeLessThan(5_000);
    expect(Object.keys(attributes).length).toBeGreaterThan(1);
  });

  it('cut what is much alone', () => {
    const span = tracer.startSpan('GET /');
    span.setAttribute('list', Array(1_000).fill('x'.repeat(30)));
    span.setAttribute('one', ['y'.repeat(2_000)]);
    span.end();
    const { attributes } = only().spans[0]!;
    expect(attributes['list']).toMatch(/^\["x{30}",.*…$/);
    expect(attributes['one']).toMatch(/^\["y{900,999}…"\]…$|^\["y{900,999}…$/);
    expect(Object.keys(attributes)).toEqual(['list', 'one']);
  });

  it('do not grow with spans of requests that never end', () => {
    const big = 'x'.repeat(900);
    for (let i = 0; i < 3_000; i++) {
      const inside = trace.setSpan(ROOT_CONTEXT, tracer.startSpan(`held ${i}`));
      for (let j = 0; j < 10; j++) {
        tracer.startSpan('child', { attributes: { a: big, b: big, c: big } }, inside).end();
      }
    }
    const root = tracer.startSpan('GET /');
    tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, root)).end();
    root.end();
    expect(only().spans).toHaveLength(2);
  });

  it('give up the spans of the oldest under way, and keep the rest of it', () => {
    const first = tracer.startSpan('first');
    tracer.startSpan('child', {}, trace.setSpan(ROOT_CONTEXT, first)).end();
    for (let i = 0; i < 2_000; i++) {
      const inside = trace.setSpan(ROOT_CONTEXT, tracer.startSpan('held'));
      tracer.startSpan('child', {}, inside).end();
    }
    first.end();
    expect(only()).toMatchObject({ name: 'first', spanCount: 1, leftOut: 1 });
  });

  it('leave alone what was begun before, and what another keeps', () => {
    const other = new RecentTraces();
    const begun = tracer.startSpan('begun');
    other.onEnd(begun as never);
    expect(other.traces()).toEqual([]);
    begun.end();
    expect(names()).toEqual(['begun']);
  });

  it.each<[RecentTracesOptions, string]>([
    [{ traces: 0 }, 'otel: recent.traces: must be an integer from 1 to 200, not 0'],
    [{ spans: 1.5 }, 'otel: recent.spans: must be an integer from 1 to 500, not 1.5'],
    [{ window: 'soon' }, 'otel: recent.window: "soon" is not a valid duration'],
  ])('refuse %j', (options, message) => {
    expect(() => new RecentTraces(options)).toThrow(message);
  });
});
