import type { SpanRow, TraceView } from '../../../src/section-views.js';

/** A span's position in the waterfall of its trace. */
export interface Bar {
  readonly span: SpanRow;
  /** The number of its ancestors in the trace. */
  readonly depth: number;
  /** Its start after the start of the first span, in milliseconds. */
  readonly offsetMs: number;
  /** Start and width as shares of the duration of the trace, from 0 to 1. */
  readonly from: number;
  readonly width: number;
}

/** The spans in display order: each below its parent, and siblings by their start. */
export function waterfall({ spans }: Pick<TraceView, 'spans'>): readonly Bar[] {
  const begin = Math.min(...spans.map(({ startedAt }) => startedAt));
  const end = Math.max(...spans.map(({ startedAt, durationMs }) => startedAt + durationMs));
  const whole = Math.max(end - begin, Number.MIN_VALUE);
  return inOrder(spans).map(({ span, depth }) => ({
    span,
    depth,
    offsetMs: span.startedAt - begin,
    from: (span.startedAt - begin) / whole,
    width: span.durationMs / whole,
  }));
}

interface Placed {
  readonly span: SpanRow;
  readonly depth: number;
}

function inOrder(spans: readonly SpanRow[]): readonly Placed[] {
  const [first] = spans;
  if (first === undefined) return [];
  const ids = new Set(spans.map(({ id }) => id));
  const children = new Map<string, SpanRow[]>();
  for (const span of spans.slice(1)) {
    // The parent may be missing: it was left out, or has not ended yet.
    const { parentId } = span;
    const parent = parentId !== null && ids.has(parentId) ? parentId : first.id;
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [span]);
    else siblings.push(span);
  }
  const placed: Placed[] = [];
  const open: Placed[] = [{ span: first, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { span, depth } = next;
    placed.push(next);
    const below = children.get(span.id) ?? [];
    children.delete(span.id);
    const latestFirst = below.toSorted((a, b) => b.startedAt - a.startedAt);
    open.push(...latestFirst.map((one) => ({ span: one, depth: depth + 1 })));
  }
  return placed;
}
