import {
  type RecentSpan,
  type RecentTrace,
  type RecentTraceSpans,
  type TraceSource,
} from '@apix/contracts';
import { cutText, messageReplacer } from '@apix/contracts/internal';
import type { SpanRow, TraceLogView, TraceRow, TraceView } from '../section-views.js';
import type { LogTail } from './log-tail.js';
import { type OnSourceFailure, readEachSource } from './read-each-source.js';
import type { PageSection } from './section.js';
import { eventsOf, loggedTraces } from './trace-events.js';

/** The limit of one message, however much a source keeps. */
const MOST_TRACES = 600;
const MOST_SPANS = 500;
const MOST_EVENTS = 500;
/** Of names and errors, in UTF-16 units; attributes keep the limits of the source. */
const MOST_TEXT = 500;

/**
 * The requests that the trace sources keep: a summary of all, and each with its spans and the events of the log at
 * `traces/<id>`.
 */
export function tracesSection(
  sources: readonly TraceSource[],
  tail: LogTail,
  onFailure: OnSourceFailure,
): PageSection<'traces'> {
  return {
    id: 'traces',
    isPresent: () => sources.length > 0,
    view() {
      const traces = traceRows(sources, onFailure);
      const logged = loggedTraces(traces, tail.all());
      return {
        traces,
        logged: Object.fromEntries(
          logged.map(({ id, records }) => [id, Math.min(records.length, MOST_EVENTS)]),
        ),
      };
    },
    watch: () => tail.watch(),
    item: (id) => traceText(sources, tail, id),
  };
}

/** A summary of all kept traces. A source that throws is left out. */
export function traceRows(
  sources: readonly TraceSource[],
  onFailure: OnSourceFailure,
): readonly TraceRow[] {
  return readEachSource('traces', sources, rowsOf, onFailure).slice(0, MOST_TRACES);
}

/** A trace with its spans and its log as JSON; undefined for one that is not kept. */
// Why: docs/decisions/0267
export function traceText(
  sources: readonly TraceSource[],
  tail: LogTail,
  id: string,
): string | undefined {
  for (const source of sources) {
    const text = attempt(() => {
      const trace = source.trace(id);
      return trace && JSON.stringify(traceView(trace, tail), messageReplacer());
    });
    if (text !== undefined) return text;
  }
  return undefined;
}

function rowsOf(source: TraceSource): TraceRow[] {
  return source.traces().slice(0, MOST_TRACES).map(traceRow);
}

function traceRow(trace: RecentTrace): TraceRow {
  const { id, traceId, kind, startedAt, durationMs, failed, error, spanCount } = trace;
  return {
    id,
    traceId,
    name: cutText(trace.name, MOST_TEXT),
    kind,
    startedAt,
    durationMs,
    failed,
    refused: trace.refused === true,
    error: error === null ? null : cutText(error, MOST_TEXT),
    spanCount,
  };
}

function traceView(trace: RecentTraceSpans, tail: LogTail): TraceView {
  const row = traceRow(trace);
  const spans = trace.spans.slice(0, MOST_SPANS).map(spanRow);
  const leftOut = trace.leftOut + trace.spans.length - spans.length;
  return { ...row, spans, leftOut, log: tail.isPresent ? logOf(row, tail) : null };
}

function logOf(trace: TraceRow, tail: LogTail): TraceLogView {
  const all = eventsOf(trace, tail.all());
  // The last ones say how it ended.
  const records = all.slice(-MOST_EVENTS);
  return { records, gap: all.length > MOST_EVENTS ? 'flood' : tail.gapSince(trace.startedAt) };
}

function spanRow(span: RecentSpan): SpanRow {
  const { id, parentId, kind, startedAt, durationMs, status, attributes } = span;
  const name = cutText(span.name, MOST_TEXT);
  const message = span.message === null ? null : cutText(span.message, MOST_TEXT);
  return { id, parentId, name, kind, startedAt, durationMs, status, message, attributes };
}

function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
