import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CallContext } from '@apix/contracts';
import { ROOT_CONTEXT, context, trace } from '@opentelemetry/api';
import { RecordedSpans, forgetSpans } from '../recorded-spans.fixture.js';
import { addToSpan, entrySpan, withEntrySpan } from './entry-span.js';

let spans: RecordedSpans;
beforeEach(() => {
  spans = new RecordedSpans();
});
afterEach(forgetSpans);

const attributes = { 'enduser.id': 'ada' };

describe('attributes that are added to the span under way', () => {
  it('go to the span of the entry, inside of other spans', () => {
    const { tracer } = spans.tracing;
    const span = tracer.startSpan('entry');
    context.with(withEntrySpan(ROOT_CONTEXT, { span }), () => {
      expect(entrySpan()?.span).toBe(span);
      const inner = tracer.startSpan('inner');
      context.with(trace.setSpan(context.active(), inner), () => addToSpan(attributes));
      inner.end();
    });
    span.end();
    expect(spans.all.map((it) => [it.name, it.attributes])).toEqual([
      ['inner', {}],
      ['entry', attributes],
    ]);
  });

  it('go to the active span outside of requests and calls', () => {
    const span = spans.tracing.tracer.startSpan('cron sweep');
    context.with(trace.setSpan(ROOT_CONTEXT, span), () => addToSpan(attributes));
    span.end();
    expect(spans.all[0]?.attributes).toEqual(attributes);
  });

  it('go to the span that a call keeps', () => {
    const span = spans.tracing.tracer.startSpan('call');
    const values = new Map([[Symbol.for('apix.otel.CallSpan'), { span }]]);
    addToSpan(attributes, { values } as unknown as CallContext);
    span.end();
    expect(spans.all[0]?.attributes).toEqual(attributes);
  });

  it('are dropped where there is no span', () => {
    addToSpan(attributes);
    addToSpan(attributes, {} as CallContext);
    expect(spans.started).toBe(0);
  });
});
