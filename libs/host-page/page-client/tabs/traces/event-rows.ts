import type { LogGap, TraceLogView, TraceView } from '../../../src/section-views.js';
import { iso, word } from '../../cells.js';
import type { Row } from '../../rows.js';
import { hashOf } from '../../tab-route.js';
import { millisecondsText } from '../../texts.js';

const GAPS: Readonly<Record<LogGap, string>> = {
  unwatched:
    'Only warnings, errors and the debug events of failed requests: others are read only while Logs or Traces is open.',
  flood: 'Some events may be missing: there were too many to keep.',
  replaced: 'Some events may be missing: later ones have replaced them.',
};

/** The events of a trace, the first one first; each leads to all events of its request. */
export function eventRows({ startedAt }: TraceView, { records }: TraceLogView): Row[] {
  return records.map(({ id, at, level, logger, message, error, requestId }) => ({
    key: `${id}`,
    cells: [
      // The clock of events has whole milliseconds.
      { text: millisecondsText(Math.max(0, at - startedAt)), look: 'number', title: iso(at) },
      word(level),
      { text: logger },
      { text: error === null ? message : `${message}: ${error}`, look: 'text' },
      {
        text: requestId,
        look: 'text',
        href: requestId === '' ? undefined : hashOf('logs', { request: requestId }),
      },
    ],
  }));
}

/** Why there may have been more events; empty if these are all. */
export function gapText({ gap }: TraceLogView): string {
  return gap === null ? '' : GAPS[gap];
}
