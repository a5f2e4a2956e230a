import type { PageView } from '../../../src/page-view.js';
import type { OverviewView, ServiceView } from '../../../src/section-views.js';
import { iso, word } from '../../cells.js';
import type { Mark } from '../../plot-marks.js';
import type { Cell, Row } from '../../rows.js';
import { figureText, numberText, spanText, timeText } from '../../texts.js';

/** @param mayRestart whether there is a column with buttons that restart services. */
export function serviceRows(
  { services }: Pick<OverviewView, 'services'>,
  now: number,
  mayRestart: boolean,
): Row[] {
  return services.map((service) => {
    const { name, state, since, restarts, askedRestarts, lastError } = service;
    const asked = askedRestarts === 0 ? '' : ` + ${numberText(askedRestarts)} asked for`;
    return {
      key: name,
      cells: [
        { text: name },
        word(state),
        { text: spanText(now - since), look: 'number', title: iso(since) },
        { text: `${numberText(restarts)}${asked}`, look: 'number' },
        { text: lastError ?? '', look: 'text' },
        ...(mayRestart ? [restartCell(service)] : []),
      ],
    };
  });
}

function restartCell({ name, state, canRestart }: ServiceView): Cell {
  if (!canRestart) return { text: '' };
  const isPossible = state === 'ready' || state === 'backoff';
  return { text: 'Restart', asks: { id: name, label: `Restart ${name}`, isPossible } };
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
