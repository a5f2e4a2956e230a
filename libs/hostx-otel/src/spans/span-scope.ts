import { WORK_SCOPE, type WorkKind, type WorkScope, thrownError } from '@apix/contracts';
import {
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { SCOPE_NAME } from '../scope-name.js';

/**
 * Gives each startup task, cron run and message its span, named `<kind> <name>` and active while
 * it runs. A service gets none: it lasts as long as the process.
 */
export class SpanScope implements WorkScope {
  readonly [WORK_SCOPE] = true as const;

  /** @param provider Default: the global one. */
  constructor(private readonly provider?: TracerProvider | undefined) {}

  run<T>(kind: WorkKind, name: string, fn: () => T): T {
    if (kind === 'service') return fn();
    const tracer = (this.provider ?? trace).getTracer(SCOPE_NAME);
    const options = {
      kind: kind === 'message' ? SpanKind.CONSUMER : SpanKind.INTERNAL,
      attributes: { 'hostx.work.kind': kind, 'hostx.work.name': name },
    };
    return tracer.startActiveSpan(`${kind} ${name}`, options, (span) => within(span, fn));
  }
}

function within<T>(span: Span, fn: () => T): T {
  try {
    const result = fn();
    if (result instanceof Promise) {
      // The caller keeps the promise itself, and with it the rejection.
      result.then(
        () => span.end(),
        (error: unknown) => fail(span, error),
      );
    } else span.end();
    return result;
  } catch (error) {
    fail(span, error);
    throw error;
  }
}

function fail(span: Span, error: unknown): void {
  const failure = thrownError(error);
  span.recordException(failure);
  span.setStatus({ code: SpanStatusCode.ERROR, message: failure.message });
  span.end();
}
