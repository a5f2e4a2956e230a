import type { PageView } from '../src/page-view.js';
import type { Mark } from './plot.js';
import type { Cell, Row } from './rows.js';
import {
  figureText,
  megabytesText,
  millisecondsText,
  numberText,
  relativeText,
  spanText,
  timeText,
} from './texts.js';

const LOOKS: Readonly<Record<string, string>> = {
  ready: 'good',
  running: 'good',
  completed: 'good',
  ok: 'good',
  waiting: '',
  paused: 'busy',
  starting: 'busy',
  stopping: 'busy',
  backoff: 'bad',
  ended: 'bad',
  failed: 'bad',
  timeout: 'bad',
  abandoned: 'bad',
  warning: 'busy',
  error: 'bad',
};

/** Bytes in a megabyte as the page shows it. */
export const BYTES_PER_MB = 1_048_576;

/** The rows with a cell that contains the text; case does not matter. */
export function matching(rows: readonly Row[], text: string): readonly Row[] {
  const wanted = text.trim().toLowerCase();
  return rows.filter(({ cells }) => cells.some((cell) => cell.text.toLowerCase().includes(wanted)));
}

export function serviceRows({ services }: PageView, now: number): Row[] {
  return services.map(({ name, state, since, restarts, lastError }) => ({
    key: name,
    cells: [
      { text: name },
      word(state),
      { text: spanText(now - since), look: 'number', title: iso(since) },
      { text: numberText(restarts), look: 'number' },
      { text: lastError ?? '', look: 'text' },
    ],
  }));
}

export function processRows({ processes, process }: PageView, now: number): Row[] {
  return (processes ?? []).map(({ index, pid, state, since, restarts, lastEnd, rss }) => ({
    key: `${index} ${pid ?? ''}`,
    cells: [
      { text: `${index}: ${pid ?? '–'}${pid === process.pid ? ', which answers' : ''}` },
      word(state),
      { text: spanText(now - since), look: 'number', title: iso(since) },
      { text: rss === null ? '–' : megabytesText(rss / BYTES_PER_MB), look: 'number' },
      { text: numberText(restarts), look: 'number' },
      { text: lastEnd ?? '', look: 'text' },
    ],
  }));
}

export function checkRows({ health }: PageView): Row[] {
  return (health?.checks ?? []).map(({ name, outcome }) => ({
    key: name,
    cells: [{ text: name }, { text: outcome, look: outcome === 'ok' ? 'good' : 'bad' }],
  }));
}

export function jobRows({ jobs }: PageView, now: number): Row[] {
  const last = (at: number | null, ms: number | null): Cell => {
    if (at === null) return { text: 'never' };
    const took = ms === null ? '' : `, took ${millisecondsText(ms)}`;
    return { text: `${relativeText(at, now)}${took}`, look: 'time', title: iso(at) };
  };
  return jobs.map((job) => ({
    key: job.name,
    cells: [
      { text: job.name },
      { text: job.schedule },
      word(job.phase),
      job.next === null
        ? { text: '–' }
        : { text: relativeText(job.next, now), look: 'time', title: iso(job.next) },
      last(job.lastStart, job.lastDurationMs),
      outcome(job.lastOutcome, job.lastError),
      { text: numberText(job.runs), look: 'number' },
      { text: numberText(job.failures), look: 'number' },
    ],
  }));
}

/** The events that the plots mark: restarts, reloads, and the start and stop of the host. */
export function marksOf({ events }: PageView): readonly Mark[] {
  return events.flatMap(({ at, mark, subject, text }) =>
    mark === undefined ? [] : [{ at, look: mark, text: `${subject}: ${text}` }],
  );
}

/** The newest event comes first. */
export function eventRows({ events, now }: PageView, problemsOnly: boolean): Row[] {
  return events
    .filter(({ level }) => !problemsOnly || level !== 'information')
    .toReversed()
    .map(({ id, at, level, subject, text }) => ({
      key: `${id}`,
      cells: [
        { text: timeText(at, now), look: 'time', title: iso(at) },
        word(level),
        { text: subject },
        { text, look: 'text' },
      ],
    }));
}

export function figureRows({ figures }: PageView): Row[] {
  return figures.map(({ name, attributes, value, unit, description }) => ({
    key: `${name} ${attributes}`,
    cells: [
      { text: name },
      { text: attributes, look: 'text' },
      { text: value === null ? '–' : figureText(value, unit), look: 'number' },
      { text: description, look: 'text' },
    ],
  }));
}

function outcome(text: string | null, error: string | null): Cell {
  if (text === null) return { text: '–' };
  return { text: error === null ? text : `${text}: ${error}`, look: LOOKS[text] ?? '' };
}

function word(text: string): Cell {
  return { text, look: LOOKS[text] ?? '' };
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
