import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { isPromiseLike } from './promise-like.js';

const then = (): void => {};

it.each<[string, unknown, boolean]>([
  ['a promise', Promise.resolve(), true],
  ['a promise of another realm', runInNewContext('Promise.resolve()'), true],
  ['an object with a method then', { then }, true],
  [
    'an object without a prototype with a method then',
    Object.assign(Object.create(null), { then }),
    true,
  ],
  ['a function with a method then', Object.assign(() => {}, { then }), true],
  ['an object with another field then', { then: 1 }, false],
  ['an object', {}, false],
  ['a function', () => {}, false],
  ['null', null, false],
  ['undefined', undefined, false],
  ['a string', 'then', false],
])('%s is told apart from what cannot be awaited', (_, value, expected) => {
  expect(isPromiseLike(value)).toBe(expected);
});
