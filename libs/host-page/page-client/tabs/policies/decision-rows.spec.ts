import { describe, expect, it } from '@jest/globals';
import type { DecisionRow, PoliciesView } from '../../../src/section-views.js';
import { decisionRows, denialRows, mergedDecisions } from './decision-rows.js';

function decision(id: number, over: Partial<DecisionRow> = {}): DecisionRow & { id: number } {
  const base = { at: 0, method: '/s/Get', door: 'grpc', outcome: 'allowed' } as const;
  return { id, ...base, reason: 'passed', caller: 'ada', ...over };
}

function policies(...decisions: (DecisionRow & { id: number })[]): PoliciesView {
  return { decisions, leftOut: 0, keeps: 3, denials: [{ method: '/s/Get', count: 1_200 }] };
}

describe('the decisions', () => {
  it('are shown with the newest first, or only those that were denied', () => {
    const section = policies(
      decision(1, { outcome: 'denied', reason: 'roles', caller: '' }),
      decision(2, { outcome: 'shadowed', reason: 'condition owner' }),
      decision(3),
    );
    expect(decisionRows(section, false, 0).map(({ key }) => key)).toEqual(['3', '2', '1']);
    const denied = decisionRows(section, true, 0);
    expect(denied.map(({ cells }) => cells.slice(1).map(({ text }) => text))).toEqual([
      ['/s/Get', 'shadowed', 'condition owner', 'ada', 'grpc'],
      ['/s/Get', 'denied', 'roles', '', 'grpc'],
    ]);
    expect(denied.map(({ cells }) => cells[2]!.look)).toEqual(['busy', 'bad']);
  });

  it('are added up, each once, the oldest given up', () => {
    const both = mergedDecisions(
      policies(decision(1), decision(2)),
      policies(decision(2), decision(3), decision(4)),
    );
    expect(both.decisions.map(({ id }) => id)).toEqual([2, 3, 4]);
  });

  it('are counted where they were denied', () => {
    const [row] = denialRows(policies());
    expect(row!.cells).toEqual([
      { text: '/s/Get', look: 'text' },
      { text: '1,200', look: 'number' },
    ]);
  });
});
