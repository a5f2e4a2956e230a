import { type Context, createContextKey } from '@opentelemetry/api';

const MARK = createContextKey('apix.otel.message');

/** Notes in the context of a span which message it is of. */
export function withMessage(context: Context, message: unknown): Context {
  return context.setValue(MARK, message);
}

/** Whether a message has its span already, from whoever has seen it first. */
export function hasMessageSpan(context: Context, message: unknown): boolean {
  return message !== undefined && context.getValue(MARK) === message;
}
