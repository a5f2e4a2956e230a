import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { isPlainObject, isPromiseLike, isReadableError } from './kind-of-value.js';
import { unreadableValues } from './testing/unreadable-values.js';

describe('a plain object', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'a literal', {}],
    [true, 'an object without a prototype', Object.create(null)],
    [false, 'an instance of a class', new (class Order {})()],
    [false, 'a list', []],
    [false, 'a date', new Date(0)],
    [false, 'an error', new Error('x')],
    [false, 'null', null],
    [false, 'a text', 'x'],
  ])('is %s: %s', (isPlain, _, value) => {
    expect(isPlainObject(value)).toBe(isPlain);
  });
});

describe('a readable error', () => {
  it.each<[boolean, string, unknown]>([
    [true, 'an error', new TypeError('x')],
    [false, 'an error of another realm', vm.runInNewContext('new Error("x")')],
    [false, 'an object with a message', { message: 'x' }],
    [false, 'undefined', undefined],
  ])('is %s: %s', (isError, _, value) => {
    expect(isReadableError(value)).toBe(isError);
  });
});

it.each(unreadableValues())('neither throws for %s', (_, value) => {
  expect([typeof isPlainObject(value), typeof isReadableError(value)]).toEqual([
    'boolean',
    'boolean',
  ]);
});

/** An object with this field; the linter mistrusts one that is written as such. */
function withThen<T extends object>(target: T, then: unknown): T {
  Reflect.set(target, 'then', then);
  return target;
}

const method = (): void => {};

it.each<[string, unknown, boolean]>([
  ['a promise', Promise.resolve(), true],
  ['a promise of another realm', vm.runInNewContext('Promise.resolve()'), true],
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
