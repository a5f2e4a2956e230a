import type { PageEvent, PageView } from '../../../src/page-view.js';
import type { TraceRow, TracesView } from '../../../src/section-views.js';
import { iso } from '../../cells.js';
import type { Cell, Row } from '../../rows.js';
import { millisecondsText, numberText, relativeText } from '../../texts.js';

/** How many of the slowest are shown at most. */
const MOST_SLOWEST = 20;
/** More, as requests must not push out what else failed. */
const MOST_FAILURES = 60;

/** The slowest request comes first. */
export function slowestRows({ traces }: TracesView, now: number, open: string | null): Row[] {
  const slowest = traces.toSorted((a, b) => b.durationMs - a.durationMs);
  return slowest.slice(0, MOST_SLOWEST).map((trace) => ({
    key: trace.id,
    cells: [
      name(trace, open),
      { text: millisecondsText(trace.durationMs), look: 'number' },
      { text: numberText(trace.spanCount), look: 'number' },
      when(trace.startedAt, now),
    ],
  }));
}

/** What may have failed. */
export interface Failures {
  readonly traces: readonly TraceRow[];
  /** The events of the host, with crashes and failed checks among them. */
  readonly events: PageView['events'];
  /** Whether requests that were refused because of the caller count too. */
  readonly withRefused: boolean;
}

/** Requests, services, processes and checks that failed, the latest first. */
export function failureRows(
  { traces, events, withRefused }: Failures,
  now: number,
  open: string | null,
): Row[] {
  const requests = traces
    .filter(({ failed, refused }) => failed || (withRefused && refused))
    .map((trace) => ({ at: endOf(trace), row: requestRow(trace, now, open) }));
  const others = events
    .filter(isFailure)
    .map((event) => ({ at: event.at, row: eventRow(event, now) }));
  const failures = [...requests, ...others].toSorted((a, b) => b.at - a.at);
  return failures.slice(0, MOST_FAILURES).map(({ row }) => row);
}

/** A service that crashes and is restarted is only a warning. */
function isFailure({ level, mark }: PageEvent): boolean {
  return level === 'error' || (level === 'warning' && mark === 'restart');
}

function requestRow(trace: TraceRow, now: number, open: string | null): Row {
  return {
    key: trace.id,
    cells: [
      name(trace, open),
      { text: trace.error ?? 'failed', look: trace.failed ? 'text bad' : 'text busy' },
      { text: millisecondsText(trace.durationMs), look: 'number' },
      when(trace.startedAt, now),
    ],
  };
}

function eventRow({ id, at, subject, text }: PageView['events'][number], now: number): Row {
  return {
    key: `event ${id}`,
    cells: [
      { text: subject },
      { text, look: 'text bad' },
      { text: '', look: 'number' },
      when(at, now),
    ],
  };
}

function endOf({ startedAt, durationMs }: TraceRow): number {
  return startedAt + durationMs;
}

function name({ id, name: text }: TraceRow, open: string | null): Cell {
  return { text, opens: { id, isOpen: id === open } };
}

function when(at: number, now: number): Cell {
  return { text: relativeText(at, now), look: 'time', title: iso(at) };
}
