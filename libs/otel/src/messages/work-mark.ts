import { type Context, createContextKey } from '@opentelemetry/api';

const MARK = createContextKey('apix.otel.message');

/** Notes in the context of a span which message it is of. */
export function withMessage(context: Context, message: unknown): Context {
  return context.setValue(MARK, message);
}

/** Whether a message already has a span, from the code that saw it first. */
export function hasMessageSpan(context: Context, message: unknown): boolean {
  return message !== undefined && context.getValue(MARK) === message;
}
