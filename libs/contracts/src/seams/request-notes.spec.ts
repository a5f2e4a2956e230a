import { expect, it } from '@jest/globals';
import { noteHandler, reachedHandler } from './request-notes.js';

it('keeps the last note of a request', () => {
  const request = {};
  expect(reachedHandler(request)).toBeUndefined();
  noteHandler(request, { route: '/orders/:id' });
  noteHandler(request, { route: '/orders/:id', handler: 'Orders.find' });
  expect(reachedHandler(request)).toEqual({ route: '/orders/:id', handler: 'Orders.find' });
  expect(reachedHandler({})).toBeUndefined();
});
