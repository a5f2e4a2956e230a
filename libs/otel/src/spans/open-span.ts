import { type Context, context, type Span, trace } from '@opentelemetry/api';
import { endSpan } from '../tracing/guarded-tracer.js';
import { endFailed } from '../tracing/span-failure.js';

/** Called with the outcome of work. */
export interface SpanEnding {
  end(): void;
  fail(error: unknown): void;
}

/** The span of work under way, which ends once, whichever code sees the end first. */
export class OpenSpan implements SpanEnding {
  /** In which the work runs, with the span in it. */
  readonly context: Context;
  #isOver = false;

  constructor(
    readonly span: Span,
    outer: Context,
  ) {
    this.context = trace.setSpan(outer, span);
  }

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

/** Begins the span of a run, such as a subscription, in the current context; undefined if it gets none. */
export type BeginRun = () => OpenSpan | undefined;

/** Ends the span of a result that was never run, at the time at which it was returned. */
const neverRun = new FinalizationRegistry<{ readonly span: Span; readonly returned: number }>(
  ({ span, returned }) => endSpan(span, returned),
);

/** The spans of a lazy result: its first run continues the span of the call. */
export class LazySpan {
  #unclaimed: OpenSpan | undefined;

  /** @param again for each further run. Default: those get no span. */
  constructor(
    open: OpenSpan,
    private readonly again?: BeginRun,
  ) {
    this.#unclaimed = open;
  }

  /** @param owner the lazy result; if it is garbage-collected before it runs, the span ends. */
  belongTo(owner: object): void {
    if (this.#unclaimed === undefined) return;
    neverRun.register(owner, { span: this.#unclaimed.span, returned: Date.now() }, this);
  }

  /** Begins a run in the current context; undefined where it gets no span. */
  begin(): OpenSpan | undefined {
    const open = this.#unclaimed;
    if (open === undefined) return this.again?.();
    this.#unclaimed = undefined;
    neverRun.unregister(this);
    return new OpenSpan(open.span, context.active());
  }
}
