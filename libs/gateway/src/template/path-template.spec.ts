import { describe, expect, it } from '@jest/globals';
import { parsePathTemplate } from './path-template.js';

const literal = (text: string) => ({ kind: 'literal', text });
const one = { kind: 'one' };
const rest = { kind: 'rest' };

describe('parsePathTemplate', () => {
  it.each([
    ['/', [], [], undefined],
    ['/v1/shelves', [literal('v1'), literal('shelves')], [], undefined],
    ['/v1/*', [literal('v1'), one], [], undefined],
    ['/v1/**', [literal('v1'), rest], [], undefined],
    ['/{id}', [one], [{ path: ['id'], start: 0, end: 1 }], undefined],
    ['/{id=*}', [one], [{ path: ['id'], start: 0, end: 1 }], undefined],
    [
      '/v1/{name=shelves/*}',
      [literal('v1'), literal('shelves'), one],
      [{ path: ['name'], start: 1, end: 3 }],
      undefined,
    ],
    [
      '/v1/{order.name=orders/*/lines/**}:cancel',
      [literal('v1'), literal('orders'), one, literal('lines'), rest],
      [{ path: ['order', 'name'], start: 1, end: Infinity }],
      'cancel',
    ],
    [
      '/{a}/{b}',
      [one, one],
      [
        { path: ['a'], start: 0, end: 1 },
        { path: ['b'], start: 1, end: 2 },
      ],
      undefined,
    ],
    ['/v1/x:list', [literal('v1'), literal('x')], [], 'list'],
    ['/v1/x:y/z', [literal('v1'), literal('x:y'), literal('z')], [], undefined],
    ['/caf%C3%A9', [literal('café')], [], undefined],
  ])('reads %s', (source, segments, variables, verb) => {
    expect(parsePathTemplate(source)).toEqual({ source, segments, variables, verb });
  });

  it.each([
    ['', 1, 'must start with "/"'],
    ['v1', 1, 'must start with "/"'],
    ['/v1/', 5, 'must not be empty'],
    ['/v1//x', 5, 'must not be empty'],
    ['/v1/{id', 5, 'expected "}"'],
    ['/v1/{id}x', 9, 'expected "/"'],
    ['/v1/x{id}', 5, 'is not "*"'],
    ['/v1/{}', 6, 'expected a field path'],
    ['/v1/{1a}', 6, 'expected a field path'],
    ['/v1/{a..b}', 6, 'expected a field path'],
    ['/v1/{a=}', 8, 'must not be empty'],
    ['/v1/{a=x/{b}}', 5, 'must not contain other variables'],
    ['/v1/{a}/{a}', 10, 'is used twice'],
    ['/v1/**/x', 5, 'must be the last segment'],
    ['/v1/{a=**}/x', 8, 'must be the last segment'],
    ['/v1/***', 5, 'is not "*"'],
    ['/v1/a b', 5, 'is not "*"'],
    ['/v1/a?b', 5, 'is not "*"'],
    ['/v1/%zz', 5, 'is not "*"'],
    ['/v1/%ff', 5, 'is not percent-encoded UTF-8'],
    ['/v1/x:', 7, 'expected a verb'],
  ])('refuses %p at column %d: %s', (source, column, what) => {
    expect(() => parsePathTemplate(source)).toThrow(SyntaxError);
    expect(() => parsePathTemplate(source)).toThrow(`column ${column}:`);
    expect(() => parsePathTemplate(source)).toThrow(what);
  });
});
