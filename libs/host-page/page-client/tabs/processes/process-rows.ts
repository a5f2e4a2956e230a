import type { ProcessesView } from '../../../src/section-views.js';
import { iso, word } from '../../cells.js';
import type { Row } from '../../rows.js';
import { BYTES_PER_MB, megabytesText, numberText, spanText } from '../../texts.js';

/** @param answering the process that sent the view. */
export function processRows(
  { processes }: Pick<ProcessesView, 'processes'>,
  answering: number,
  now: number,
): Row[] {
  return processes.map(({ index, pid, state, since, restarts, lastEnd, rss }) => ({
    key: `${index} ${pid ?? ''}`,
    cells: [
      { text: `${index}: ${pid ?? '–'}${pid === answering ? ', which answers' : ''}` },
      word(state),
      { text: spanText(now - since), look: 'number', title: iso(since) },
      { text: rss === null ? '–' : megabytesText(rss / BYTES_PER_MB), look: 'number' },
      { text: numberText(restarts), look: 'number' },
      { text: lastEnd ?? '', look: 'text' },
    ],
  }));
}
