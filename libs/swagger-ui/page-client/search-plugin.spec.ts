import { describe, expect, it } from '@jest/globals';
import { isFound, type ListedOperation } from './search-plugin.js';

const operation = {
  operationId: 'Orders_Cancel',
  summary: 'Cancels an order that has not been shipped.',
};

function listed(): ListedOperation {
  const values: Readonly<Record<string, unknown>> = {
    path: '/v1/orders/{order}:cancel',
    method: 'post',
    operation: new Map(Object.entries(operation)),
  };
  return { get: (name: string) => values[name] } as ListedOperation;
}

describe('an operation', () => {
  it.each([
    ['cancel', true],
    ['ORDERS', true],
    ['post shipped', true],
    ['/v1/orders/{', true],
    ['', true],
    ['cancel products', false],
    ['get', false],
  ])('is found by %j: %s', (phrase, is) => {
    expect(isFound(phrase, 'Orders', listed())).toBe(is);
  });
});
