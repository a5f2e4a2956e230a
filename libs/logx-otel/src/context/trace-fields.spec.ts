import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger, ctx, informationCtx, runWithLogger } from '@apix/logx/core';
import { collectingSink } from '@apix/logx/testing';
import { context, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { translateEvent } from '../record/event-translator.js';
import { traceFields, addTraceFields } from './trace-fields.js';

const SPAN: SpanContext = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: TraceFlags.SAMPLED,
};

function inSpan<T>(span: SpanContext, work: () => T): T {
  return context.with(trace.setSpanContext(context.active(), span), work);
}

describe('the trace fields', () => {
  beforeAll(() => void context.setGlobalContextManager(new AsyncLocalStorageContextManager()));
  afterAll(() => context.disable());
  const uninstalls: (() => void)[] = [];
  afterEach(() => uninstalls.splice(0).forEach((uninstall) => uninstall()));

  it('are the ids of the active span', () => {
    expect(inSpan(SPAN, traceFields)).toEqual([
      { name: 'trace_id', value: SPAN.traceId },
      { name: 'span_id', value: SPAN.spanId },
    ]);
  });

  it('are none without a span, or with one that has no valid ids', () => {
    expect(traceFields()).toEqual([]);
    expect(inSpan({ ...SPAN, traceId: '0'.repeat(32) }, traceFields)).toEqual([]);
  });

  it('once installed stand in what is logged in a context, and are in it once', () => {
    uninstalls.push(addTraceFields(), addTraceFields());
    const logged = collectingSink();
    const logger = createLogger({ sinks: [logged] });
    inSpan(SPAN, () => runWithLogger(logger, () => informationCtx('in a span')));
    runWithLogger(logger, () => ctx().information('in none'));
    expect(logged.saying('in a span').only()).toMatchObject({
      trace_id: SPAN.traceId,
      span_id: SPAN.spanId,
    });
    expect(logged.lines[0]!.match(/trace_id/g)).toHaveLength(1);
    expect(logged.saying('in none').only()).not.toHaveProperty('trace_id');
  });

  it('are gone when they are taken away', () => {
    addTraceFields()();
    const logged = collectingSink();
    const logger = createLogger({ sinks: [logged] });
    inSpan(SPAN, () => runWithLogger(logger, () => informationCtx('x')));
    expect(logged.only()).not.toHaveProperty('trace_id');
  });

  it('become a trace context with the flags of the span, while that is active', () => {
    const ids = new Map(
      inSpan(SPAN, traceFields).map(({ name, value }) => [name, value as string]),
    );
    const event = {
      level: 30,
      time: 0,
      template: 'x',
      message: 'x',
      error: undefined,
      stack: undefined,
      caller: undefined,
      fields: ids,
    } as const;
    expect(inSpan(SPAN, () => translateEvent(event, {})).spanContext).toEqual(SPAN);
    expect(translateEvent(event, {}).spanContext).toEqual({ ...SPAN, traceFlags: TraceFlags.NONE });
  });
});
