import { WORK_SCOPE, type WorkKind, type WorkScope } from '@apix/contracts';
import { type Span, SpanKind, context } from '@opentelemetry/api';
import { endFailed } from '../tracing/span-failure.js';
import { Tracing } from '../tracing/tracing.js';

/**
 * Gives each startup task, cron run and message its span, named `<kind> <name>` and active while
 * it runs. A service gets none: it lasts as long as the process.
 */
export class SpanScope implements WorkScope {
  readonly [WORK_SCOPE] = true as const;

  constructor(private readonly tracing = new Tracing()) {}

  run<T>(kind: WorkKind, name: string, fn: () => T): T {
    if (kind === 'service') return fn();
    const span = this.tracing.tracer.startSpan(`${kind} ${name}`, {
      kind: kind === 'message' ? SpanKind.CONSUMER : SpanKind.INTERNAL,
      attributes: { 'hostx.work.kind': kind, 'hostx.work.name': name },
    });
    return this.tracing.within(context.active(), span, () => followed(span, fn));
  }
}

function followed<T>(span: Span, fn: () => T): T {
  try {
    const result = fn();
    if (result instanceof Promise) {
      // The caller keeps the promise itself, and with it the rejection.
      result.then(
        () => span.end(),
        (error: unknown) => endFailed(span, error),
      );
    } else span.end();
    return result;
  } catch (error) {
    endFailed(span, error);
    throw error;
  }
}
