import type { Context, Span } from '@opentelemetry/api';
import { endSpan } from '../tracing/guarded-tracer.js';
import { endFailed } from '../tracing/span-failure.js';

/** Called with the outcome of work. */
export interface SpanEnding {
  end(): void;
  fail(error: unknown): void;
}

/** The span of work under way, which ends once, whichever code sees the end first. */
export class OpenSpan implements SpanEnding {
  #isOver = false;

  /** @param inner the context that the work runs in. */
  constructor(
    readonly span: Span,
    readonly inner: Context,
  ) {}

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    endSpan(this.span);
  }

  fail(error: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    endFailed(this.span, error);
  }
}
