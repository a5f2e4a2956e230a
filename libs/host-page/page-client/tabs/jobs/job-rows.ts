import type { JobsView } from '../../../src/section-views.js';
import { iso, lookOf, word } from '../../cells.js';
import type { Cell, Row } from '../../rows.js';
import { millisecondsText, numberText, relativeText } from '../../texts.js';

export function jobRows({ jobs }: JobsView, now: number): Row[] {
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

function outcome(text: string | null, error: string | null): Cell {
  if (text === null) return { text: '–' };
  return { text: error === null ? text : `${text}: ${error}`, look: lookOf(text) };
}
