import { describe, expect, it } from '@jest/globals';
import type { SpanRow } from '../../../src/section-views.js';
import { waterfall } from './waterfall.js';

function span(id: string, parentId: string | null, startedAt: number, durationMs: number): SpanRow {
  const kind = 'internal';
  return {
    id,
    parentId,
    name: id,
    kind,
    startedAt,
    durationMs,
    status: 'unset',
    message: null,
    attributes: {},
  };
}

describe('a waterfall', () => {
  it('has each span below the one that it is part of, the earlier first', () => {
    const bars = waterfall({
      spans: [
        span('root', 'elsewhere', 100, 100),
        span('second', 'root', 150, 25),
        span('inner', 'first', 120, 5),
        span('first', 'root', 110, 30),
      ],
    });
    expect(bars.map(({ span: { id }, depth, offsetMs }) => [id, depth, offsetMs])).toEqual([
      ['root', 0, 0],
      ['first', 1, 10],
      ['inner', 2, 20],
      ['second', 1, 50],
    ]);
    expect(bars.map(({ from, width }) => [from, width])).toEqual([
      [0, 1],
      [0.1, 0.3],
      [0.2, 0.05],
      [0.5, 0.25],
    ]);
  });

  it('reaches to the end of what outlasts the first', () => {
    const bars = waterfall({ spans: [span('root', null, 0, 50), span('late', 'root', 50, 50)] });
    expect(bars.map(({ from, width }) => [from, width])).toEqual([
      [0, 0.5],
      [0.5, 0.5],
    ]);
  });

  it('puts spans whose own parent is not there below the first', () => {
    const bars = waterfall({ spans: [span('root', null, 0, 1), span('orphan', 'lost', 0, 1)] });
    expect(bars.map(({ depth }) => depth)).toEqual([0, 1]);
  });

  it.each([
    ['nothing', [], 0],
    ['no time at all', [span('root', null, 5, 0)], 1],
  ])('is drawn of %s', (_, spans, length) => {
    const bars = waterfall({ spans });
    expect(bars).toHaveLength(length);
    expect(bars.every(({ from, width }) => Number.isFinite(from + width))).toBe(true);
  });
});
