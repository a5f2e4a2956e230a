import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SpanKind, SpanStatusCode, context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { unreadableValues } from '@apix/contracts/testing';
import { Tracing } from '../tracing/tracing.js';
import { SpanScope } from './span-scope.js';

/** As a query builder: it runs when it is awaited. */
function queryOf(rows: number, method = 'then'): PromiseLike<number> {
  const run = (settled: (rows: number) => void) => setImmediate(settled, rows);
  return { [method]: run } as unknown as PromiseLike<number>;
}

describe('the scope of spans', () => {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const scope = new SpanScope(new Tracing({ tracerProvider }));
  beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()));
  afterAll(() => context.disable());
  beforeEach(() => exporter.reset());

  const spans = () =>
    exporter.getFinishedSpans().map(({ name, kind, status }) => [name, kind, status.code]);

  it('gives a cron run its span, active until the run has ended', async () => {
    const ids: (string | undefined)[] = [];
    const run = scope.run('cron', 'sweep', async () => {
      await Promise.resolve();
      ids.push(trace.getActiveSpan()?.spanContext().spanId);
    });
    expect(spans()).toEqual([]);
    await run;
    expect(spans()).toEqual([['cron sweep', SpanKind.INTERNAL, SpanStatusCode.UNSET]]);
    expect(ids).toEqual([exporter.getFinishedSpans()[0]!.spanContext().spanId]);
  });

  it('gives each cron run a trace of its own, also when its timer was made in a span', () => {
    tracerProvider.getTracer('app').startActiveSpan('request', (span) => {
      scope.run('cron', 'sweep', () => {});
      scope.run('task', 'migrate', () => {});
      span.end();
    });
    const [sweep, migrate, request] = exporter.getFinishedSpans();
    expect(sweep?.parentSpanContext).toBeUndefined();
    expect(sweep?.attributes).toEqual({ 'hostx.work.kind': 'cron', 'hostx.work.name': 'sweep' });
    expect(migrate?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
  });

  it('gives a message the span of a consumer', () => {
    expect(scope.run('message', 'orders', () => 7)).toBe(7);
    expect(spans()).toEqual([['message orders', SpanKind.CONSUMER, SpanStatusCode.UNSET]]);
  });

  it('marks what fails, and changes nothing of it', async () => {
    const error = new Error('no');
    const sync = (): void => {
      throw error;
    };
    expect(() => scope.run('task', 'migrate', sync)).toThrow(error);
    await expect(scope.run('cron', 'sweep', () => Promise.reject(error))).rejects.toBe(error);
    expect(spans().map(([name, , code]) => [name, code])).toEqual([
      ['task migrate', SpanStatusCode.ERROR],
      ['cron sweep', SpanStatusCode.ERROR],
    ]);
  });

  it.each(unreadableValues())(
    'passes on %s that was thrown, and marks the span',
    async (_, thrown) => {
      const unhandled: unknown[] = [];
      const onUnhandled = (error: unknown): void => void unhandled.push(error);
      process.on('unhandledRejection', onUnhandled);
      const caught: unknown[] = [];
      const note = (error: unknown): void => void caught.push(error);
      try {
        scope.run('task', 'migrate', () => {
          throw thrown as Error;
        });
      } catch (error) {
        note(error);
      }
      await scope.run('cron', 'sweep', () => Promise.reject(thrown as Error)).catch(note);
      await new Promise((resolve) => setImmediate(resolve));
      process.off('unhandledRejection', onUnhandled);
      expect(caught.map((error) => Object.is(error, thrown))).toEqual([true, true]);
      expect(spans().map(([name, , code]) => [name, code])).toEqual([
        ['task migrate', SpanStatusCode.ERROR],
        ['cron sweep', SpanStatusCode.ERROR],
      ]);
      expect(unhandled).toHaveLength(0);
    },
  );

  it('lasts until a query that work returns has run', async () => {
    const run = scope.run('task', 'migrate', () => queryOf(7));
    expect(spans()).toEqual([]);
    expect(await run).toBe(7);
    expect(spans()).toHaveLength(1);
  });

  it('gives a service none, as it lasts as long as the process', async () => {
    await scope.run('service', 'outbox', async () => {
      expect(trace.getActiveSpan()).toBeUndefined();
    });
    expect(spans()).toEqual([]);
  });
});
