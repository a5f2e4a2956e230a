import vm from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import { isPlainObject, isReadableError } from './kind-of-value.js';
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
