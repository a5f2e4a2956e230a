import type { OverviewView, PageView } from '../../../src/page-view.js';
import { iso, word } from '../../cells.js';
import type { Mark } from '../../plot-marks.js';
import type { Row } from '../../rows.js';
import { figureText, numberText, spanText, timeText } from '../../texts.js';

export function serviceRows({ services }: Pick<OverviewView, 'services'>, now: number): Row[] {
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

export function checkRows({ health }: PageView): Row[] {
  return (health?.checks ?? []).map(({ name, outcome }) => ({
    key: name,
    cells: [{ text: name }, { text: outcome, look: outcome === 'ok' ? 'good' : 'bad' }],
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

export function figureRows({ figures }: Pick<OverviewView, 'figures'>): Row[] {
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
