import type { PoliciesView } from '../../../src/section-views.js';
import { iso } from '../../cells.js';
import { joined } from '../../model.js';
import type { Row } from '../../rows.js';
import { numberText, timeText } from '../../texts.js';

const LOOKS = { allowed: 'good', denied: 'bad', shadowed: 'busy' } as const;

/** The newest decision comes first. */
export function decisionRows({ decisions }: PoliciesView, onlyDenied: boolean, now: number): Row[] {
  return decisions
    .filter(({ outcome }) => !onlyDenied || outcome !== 'allowed')
    .toReversed()
    .map(({ id, at, method, door, outcome, reason, caller }) => ({
      key: `${id}`,
      cells: [
        { text: timeText(at, now), look: 'time', title: iso(at) },
        { text: method, look: 'text' },
        { text: outcome, look: LOOKS[outcome] },
        { text: reason },
        { text: caller, look: 'text' },
        { text: door },
      ],
    }));
}

export function denialRows({ denials }: PoliciesView): Row[] {
  return denials.map(({ method, count }) => ({
    key: method,
    cells: [
      { text: method, look: 'text' },
      { text: numberText(count), look: 'number' },
    ],
  }));
}

/** What is known and what is new, each decision once, and no more than are kept. */
export function mergedDecisions(known: PoliciesView, next: PoliciesView): PoliciesView {
  return { ...next, decisions: joined(known.decisions, next.decisions, next.keeps) };
}
