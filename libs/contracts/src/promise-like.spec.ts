import { runInNewContext } from 'node:vm';
import { expect, it } from '@jest/globals';
import { isPromiseLike } from './promise-like.js';

/** An object with this field; the linter mistrusts one that is written as such. */
function withThen<T extends object>(target: T, then: unknown): T {
  Reflect.set(target, 'then', then);
  return target;
}

const method = (): void => {};

it.each<[string, unknown, boolean]>([
  ['a promise', Promise.resolve(), true],
  ['a promise of another realm', runInNewContext('Promise.resolve()'), true],
  ['an object with a method then', withThen({}, method), true],
  ['an object without a prototype', withThen(Object.create(null) as object, method), true],
  ['a function with a method then', withThen(() => {}, method), true],
  ['an object with another field then', withThen({}, 1), false],
  ['an object', {}, false],
  ['a function', () => {}, false],
  ['null', null, false],
  ['undefined', undefined, false],
  ['a string', 'then', false],
])('%s is told apart from what cannot be awaited', (_, value, expected) => {
  expect(isPromiseLike(value)).toBe(expected);
});
