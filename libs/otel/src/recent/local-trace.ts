import type { RecentTrace, RecentTraceSpans } from '@apix/contracts';
import { SpanStatusCode } from '@opentelemetry/api';
import { type KeptSpan, recentSpan, spanError } from './kept-span.js';

/** Of all spans of one trace together, in UTF-16 units. */
const MOST_COST = 64_000;

/** The work of this process for one request, message or run: the spans below its first span. */
export class LocalTrace {
  /** The first span, once it has ended. */
  root: KeptSpan | undefined;
  /** Null once they are no longer needed. */
  #spans: KeptSpan[] | null = [];
  #leftOut = 0;
  /** The size of the spans other than the first, in UTF-16 units. */
  cost = 0;
  /** When it was ranked, in milliseconds since the epoch. */
  endedAt = 0;

  /** @param begin the span that it begins with, to be recognised when it ends. */
  constructor(public begin: object | null) {}

  /** Whether there is room for one more; the first has its own. */
  canTake(most: number): boolean {
    return this.#spans !== null && this.#spans.length < most - 1 && this.cost < MOST_COST;
  }

  take(span: KeptSpan): void {
    this.#spans?.push(span);
    this.cost += span.cost;
  }

  leaveOut(count = 1): void {
    this.#leftOut += count;
  }

  /** Drops the spans other than the first. */
  shed(): void {
    this.leaveOut(this.#spans?.length ?? 0);
    if (this.#spans !== null) this.#spans = [];
    this.cost = 0;
  }

  end(root: KeptSpan, now: number): void {
    this.root = root;
    this.begin = null;
    this.endedAt = now;
  }

  /** Takes nothing more and keeps nothing. */
  forget(): void {
    this.begin = null;
    this.#spans = null;
    this.cost = 0;
  }

  summary(root: KeptSpan): RecentTrace {
    const { id, name, kind, startedAt, durationMs } = recentSpan(root);
    return {
      id,
      traceId: root.traceId,
      name,
      kind,
      startedAt,
      durationMs,
      failed: root.code === SpanStatusCode.ERROR,
      refused: root.refusal !== null,
      error: spanError(root) ?? root.refusal,
      spanCount: 1 + (this.#spans?.length ?? 0),
    };
  }

  whole(root: KeptSpan): RecentTraceSpans {
    return {
      ...this.summary(root),
      spans: [root, ...(this.#spans ?? [])].map(recentSpan),
      leftOut: this.#leftOut,
    };
  }
}
