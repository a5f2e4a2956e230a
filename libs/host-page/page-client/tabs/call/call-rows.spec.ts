import { describe, expect, it } from '@jest/globals';
import { MOST_METHODS } from '../../method-count.js';
import { methodRows, namedMethods } from './call-rows.js';

const METHODS = [
  { method: '/shop.v1.Orders/Get', kind: 'unary' },
  { method: '/shop.v1.Orders/Watch', kind: 'server_stream' },
] as const;

describe('the methods that can be called', () => {
  it('say what they take, and which one is open', () => {
    const rows = methodRows(METHODS, '/shop.v1.Orders/Watch');
    expect(rows.map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['/shop.v1.Orders/Get', 'one request, one answer'],
      ['/shop.v1.Orders/Watch', 'a stream of answers'],
    ]);
    expect(rows.map(({ cells }) => cells[0]!.opens!.isOpen)).toEqual([false, true]);
  });

  it('are found by a part of their names', () => {
    expect(namedMethods(METHODS, ' orders/WATCH ')).toEqual([METHODS[1]]);
    expect(namedMethods(METHODS, '')).toHaveLength(2);
  });

  it('are shown up to a number', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      method: `/s/M${at}`,
      kind: 'unary' as const,
    }));
    expect(methodRows(many, null)).toHaveLength(MOST_METHODS);
  });
});
