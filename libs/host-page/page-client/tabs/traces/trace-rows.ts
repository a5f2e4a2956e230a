import type { TraceRow, TracesView } from '../../../src/page-view.js';
import type { Cell, Row } from '../../rows.js';
import { millisecondsText, numberText, relativeText } from '../../texts.js';

/** How many rows a table shows at most. */
const MOST_ROWS = 20;

/** The slowest request comes first. */
export function slowestRows({ traces }: TracesView, now: number, open: string | null): Row[] {
  const slowest = traces.toSorted((a, b) => b.durationMs - a.durationMs);
  return slowest.slice(0, MOST_ROWS).map((trace) => ({
    key: trace.id,
    cells: [
      name(trace, open),
      { text: millisecondsText(trace.durationMs), look: 'number' },
      { text: numberText(trace.spanCount), look: 'number' },
      when(trace, now),
    ],
  }));
}

/** The latest request comes first. */
export function failedRows({ traces }: TracesView, now: number, open: string | null): Row[] {
  const failures = traces.filter(({ failed }) => failed).toSorted((a, b) => endOf(b) - endOf(a));
  return failures.slice(0, MOST_ROWS).map((trace) => ({
    key: trace.id,
    cells: [
      name(trace, open),
      { text: trace.error ?? 'failed', look: 'text bad' },
      { text: millisecondsText(trace.durationMs), look: 'number' },
      when(trace, now),
    ],
  }));
}

function endOf({ startedAt, durationMs }: TraceRow): number {
  return startedAt + durationMs;
}

function name({ id, name: text }: TraceRow, open: string | null): Cell {
  return { text, opens: { id, isOpen: id === open } };
}

function when({ startedAt }: TraceRow, now: number): Cell {
  return {
    text: relativeText(startedAt, now),
    look: 'time',
    title: new Date(startedAt).toISOString(),
  };
}
