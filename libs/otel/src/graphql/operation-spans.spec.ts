import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ROOT_CONTEXT, context, propagation, trace } from '@opentelemetry/api';
import type { InMemorySpanExporter } from '@opentelemetry/sdk-trace';
import { forgetSpans, recordSpans } from '../recorded-spans.fixture.js';
import { entrySpan, withEntrySpan } from '../tracing/entry-span.js';
import { Tracing } from '../tracing/tracing.js';
import { OperationSpans, type ResolverInfo } from './operation-spans.js';

let exporter: InMemorySpanExporter;
beforeEach(() => void (exporter = recordSpans()));
afterEach(forgetSpans);

const SUBSCRIPTION: ResolverInfo = {
  fieldName: 'ordered',
  parentType: { name: 'Subscription' },
  operation: { operation: 'subscription' },
};

it('a subscription has the baggage of what it came by, and a trace of its own', async () => {
  const came = trace.getTracer('app').startSpan('came');
  const baggage = propagation.createBaggage({ tenant: { value: 'acme' } });
  const entry = withEntrySpan(propagation.setBaggage(ROOT_CONTEXT, baggage), { span: came });
  const seen: unknown[] = [];
  const subscribe = () => {
    seen.push(propagation.getActiveBaggage()?.getEntry('tenant')?.value, entrySpan());
  };
  const spans = new OperationSpans(new Tracing());
  await context.with(entry, () => spans.resolve(undefined, SUBSCRIPTION, subscribe));
  expect(seen).toEqual(['acme', undefined]);
  const [span] = exporter.getFinishedSpans();
  expect(span?.parentSpanContext).toBeUndefined();
  expect(span?.links.map((link) => link.context)).toEqual([came.spanContext()]);
});
