import type { LogRow, LoggedTrace, Numbered, TraceRow } from '../section-views.js';

/** How much earlier than its trace an event may be, for the clocks of spans and logs differ; in milliseconds. */
const EARLY_MS = 10;
/** How long after the end of its trace an event still belongs to it, such as that of the request; in milliseconds. */
const LATE_MS = 1_000;

/** The events of a trace, in the order of their times: a buffered event is read later than it was logged. */
export function eventsOf(
  trace: TraceRow,
  events: readonly Numbered<LogRow>[],
): readonly Numbered<LogRow>[] {
  return events
    .filter((event) => event.traceId === trace.traceId && isWithin(event, trace))
    .toSorted((a, b) => a.at - b.at || a.id - b.id);
}

/** The traces to which any of the events belong. */
export function loggedTraces(
  traces: readonly TraceRow[],
  events: readonly Numbered<LogRow>[],
): readonly LoggedTrace[] {
  const byTraceId = new Map<string, Numbered<LogRow>[]>();
  for (const event of events) {
    const known = byTraceId.get(event.traceId);
    if (known === undefined) byTraceId.set(event.traceId, [event]);
    else known.push(event);
  }
  return traces.flatMap((trace) => {
    const records = (byTraceId.get(trace.traceId) ?? [])
      .filter((event) => isWithin(event, trace))
      .map(({ id }) => id);
    return records.length === 0 ? [] : [{ id: trace.id, name: trace.name, records }];
  });
}

/** A caller may send many requests with one trace id. */
// Why: docs/decisions/0564
function isWithin({ at }: LogRow, { startedAt, durationMs }: TraceRow): boolean {
  return at >= startedAt - EARLY_MS && at <= startedAt + durationMs + LATE_MS;
}
