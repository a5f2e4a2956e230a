import { describe, expect, it } from '@jest/globals';
import { pathOf } from './path-of.js';

describe('the path of a request target', () => {
  it.each([
    ['/orders/1', '/orders/1'],
    ['/orders?token=secret', '/orders'],
    ['/a?b?c', '/a'],
    ['http://shop.test/orders?x=1', '/orders'],
    ['http://shop.test', '/'],
    ['http://shop.test?x=1', '/'],
    ['*', '*'],
    ['shop.test:443', 'shop.test:443'],
    [undefined, ''],
  ])('%s is %s', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
