import { describe, expect, it } from '@jest/globals';
import type { PolicyMatrix } from '../../../src/section-views.js';
import { MOST_METHODS } from '../../method-count.js';
import { fieldRows, matchingMethods, matrixRows } from './matrix-rows.js';

const matrix: PolicyMatrix = {
  callers: ['anonymous', 'any caller', 'admin'],
  leftOut: 0,
  methods: [
    { method: '/shop.v1.Orders/Get', who: 'any authenticated caller', access: '-++' },
    { method: '/shop.v1.Orders/Drop', who: 'roles: any of admin', access: '--?' },
  ],
  fields: [{ field: 'shop.v1.Order.phone', who: 'roles: any of admin' }],
};

describe('the matrix', () => {
  it('marks who may, leaves empty who may not, and has the open method', () => {
    const [get, drop] = matrixRows(matrix.methods, '/shop.v1.Orders/Drop');
    expect(get!.cells.map(({ text }) => text)).toEqual([
      '/shop.v1.Orders/Get',
      'any authenticated caller',
      '',
      '✓',
      '✓',
    ]);
    expect(drop!.cells.slice(2)).toMatchObject([
      { text: '', title: 'denied' },
      { text: '', title: 'denied' },
      { text: '?', title: 'the request decides' },
    ]);
    expect([get, drop].map((row) => row!.cells[0]!.opens!.isOpen)).toEqual([false, true]);
  });

  it.each([
    ['orders/GET', 1],
    [' Admin ', 1],
    ['shop', 2],
    ['', 2],
    ['nothing', 0],
  ])('is filtered by names and policies: "%s"', (text, count) => {
    expect(matchingMethods(matrix, text)).toHaveLength(count);
  });

  it('shows a bounded number of methods', () => {
    const many = Array.from({ length: 1_000 }, (_, at) => ({
      method: `/s/M${at}`,
      who: 'public',
      access: '+++',
    }));
    expect(matrixRows(many, null)).toHaveLength(MOST_METHODS);
  });

  it('is followed by the fields that not everyone sees', () => {
    expect(fieldRows(matrix).map(({ cells }) => cells.map(({ text }) => text))).toEqual([
      ['shop.v1.Order.phone', 'roles: any of admin'],
    ]);
  });
});
