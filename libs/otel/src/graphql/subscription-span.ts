import { type Context, type Span, context } from '@opentelemetry/api';
import { endFailedOnce } from '../spans/failed-once.js';
import { endSpan } from '../tracing/guarded-tracer.js';

type Values = AsyncIterator<unknown> & AsyncIterable<unknown>;

/** Runs what subscribes; the span lasts until the last value, an error, or until nobody listens. */
export function inSubscription(span: Span, inner: Context, subscribe: () => unknown): unknown {
  let result: unknown;
  try {
    result = subscribe();
  } catch (error) {
    endFailedOnce(span, error);
    throw error;
  }
  return Promise.resolve(result).then(
    (values) => {
      if (isValues(values)) return followedValues(span, inner, values);
      // GraphQL refuses it by itself.
      endSpan(span);
      return values;
    },
    (error: unknown) => {
      endFailedOnce(span, error);
      throw error;
    },
  );
}

function followedValues(span: Span, inner: Context, values: Values): Values {
  const source = values[Symbol.asyncIterator]();
  const within = async (
    step: () => Promise<IteratorResult<unknown>>,
  ): Promise<IteratorResult<unknown>> => {
    try {
      const result = await context.with(inner, step);
      if (result.done === true) end();
      return result;
    } catch (error) {
      endFailedOnce(span, error);
      throw error;
    }
  };
  const end = (): void => {
    if (span.isRecording()) endSpan(span);
  };
  return {
    next: () => within(() => source.next()),
    return: async (value) => {
      try {
        return (await source.return?.(value)) ?? { done: true, value };
      } finally {
        end();
      }
    },
    throw: async (error: unknown) => {
      endFailedOnce(span, error);
      if (source.throw === undefined) throw error;
      return source.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function isValues(value: unknown): value is Values {
  return (
    typeof value === 'object' &&
    value !== null &&
    Symbol.asyncIterator in value &&
    typeof value[Symbol.asyncIterator] === 'function'
  );
}
