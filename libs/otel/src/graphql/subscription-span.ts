import { context } from '@opentelemetry/api';
import { IterationSteps } from '../spans/iteration-steps.js';
import type { OpenSpan } from '../spans/open-span.js';

type Values = AsyncIterator<unknown> & AsyncIterable<unknown>;

/**
 * Runs a function that subscribes; the span lasts until the last value, an error, or the end of the
 * subscription.
 */
export async function inSubscription(open: OpenSpan, subscribe: () => unknown): Promise<unknown> {
  try {
    const values = await context.with(open.context, subscribe);
    if (isValues(values)) return followedValues(open, values);
    // GraphQL refuses it by itself.
    open.end();
    return values;
  } catch (error) {
    open.fail(error);
    throw error;
  }
}

/** Not the sequence itself with other methods: several subscriptions may share it. */
function followedValues(open: OpenSpan, values: Values): Values {
  const source = values[Symbol.asyncIterator]();
  const steps = new IterationSteps(() => open);
  type Step = (value?: unknown) => Promise<IteratorResult<unknown>>;
  const next = steps.traced(() => source.next()) as Step;
  const leave = steps.traced(
    (value) => source.return?.(value) ?? Promise.resolve({ done: true, value }),
  ) as Step;
  const fail = steps.traced((error) => source.throw?.(error) ?? thrown(error)) as Step;
  return {
    next,
    return: async (value) => {
      try {
        return await leave(value);
      } finally {
        open.end();
      }
    },
    throw: fail,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function thrown(error: unknown): Promise<never> {
  throw error;
}

function isValues(value: unknown): value is Values {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.asyncIterator in value &&
    typeof value[Symbol.asyncIterator] === 'function'
  );
}
