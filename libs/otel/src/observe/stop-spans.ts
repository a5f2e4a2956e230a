import { type Span, type TracerProvider, trace } from '@opentelemetry/api';
import { SCOPE_NAME } from '../scope-name.js';
import { endFailed } from '../tracing/span-failure.js';
import { GuardedTracer, endSpan } from '../tracing/guarded-tracer.js';

/** The spans `hostx.service.stop`, one for each service that is stopping. */
export class StopSpans {
  readonly #open = new Map<string, Span>();

  constructor(private readonly provider: TracerProvider | undefined) {}

  begin(service: string): void {
    const tracer = new GuardedTracer((this.provider ?? trace).getTracer(SCOPE_NAME));
    this.#open.set(service, tracer.startSpan('hostx.service.stop', { attributes: { service } }));
  }

  end(service: string, error: Error | undefined): void {
    const span = this.#open.get(service);
    if (span === undefined) return;
    this.#open.delete(service);
    if (error === undefined) endSpan(span);
    else endFailed(span, error);
  }
}
