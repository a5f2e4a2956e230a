import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { ROOT_CONTEXT, context, propagation, trace } from '@opentelemetry/api';
import { RecordedSpans, brief, forgetSpans } from '../recorded-spans.fixture.js';
import { entrySpan, withEntrySpan } from '../tracing/entry-span.js';
import { Tracing } from '../tracing/tracing.js';
import { OperationSpans, type ResolverInfo } from './operation-spans.js';

let recorded: RecordedSpans;
beforeEach(() => void (recorded = new RecordedSpans()));
afterEach(forgetSpans);

const SUBSCRIPTION: ResolverInfo = {
  fieldName: 'ordered',
  parentType: { name: 'Subscription' },
  operation: { operation: 'subscription' },
};

const names = (): string[] => recorded.all.map(brief);

it('a subscription to a sequence that others read too has a span of its own', async () => {
  const shared = {
    async *[Symbol.asyncIterator]() {
      yield 1;
      yield 2;
    },
  };
  const spans = new OperationSpans(new Tracing());
  const read = async (): Promise<unknown[]> => {
    const values = await spans.resolve(undefined, SUBSCRIPTION, () => shared);
    const seen = [];
    for await (const value of values as typeof shared) seen.push(value);
    return seen;
  };
  expect(await Promise.all([read(), read()])).toEqual([
    [1, 2],
    [1, 2],
  ]);
  expect(names()).toEqual(['SERVER subscription', 'SERVER subscription']);
  expect(Object.keys(shared)).toEqual([]);
});

it('a subscription ends where its reader leaves, also a sequence that is not told', async () => {
  const endless = {
    next: async () => ({ done: false, value: 1 }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  const spans = new OperationSpans(new Tracing());
  const values = await spans.resolve(undefined, SUBSCRIPTION, () => endless);
  for await (const value of values as AsyncIterable<number>) if (value === 1) break;
  expect(names()).toEqual(['SERVER subscription']);
});

it.each([
  [
    'a subscriber',
    () => {
      throw new RangeError('no topic');
    },
  ],
  [
    'a step',
    () =>
      (async function* () {
        yield* [];
        throw new RangeError('torn');
      })(),
  ],
])('a subscription fails with %s', async (_, subscribe: () => unknown) => {
  const spans = new OperationSpans(new Tracing());
  const read = async (): Promise<void> => {
    const values = await spans.resolve(undefined, SUBSCRIPTION, subscribe);
    for await (const _value of values as AsyncIterable<number>);
  };
  await expect(read()).rejects.toThrow(RangeError);
  expect(names()).toEqual(['SERVER subscription ERROR RangeError']);
});

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
  const [span] = recorded.all;
  expect(span?.parentSpanContext).toBeUndefined();
  expect(span?.links.map((link) => link.context)).toEqual([came.spanContext()]);
});
