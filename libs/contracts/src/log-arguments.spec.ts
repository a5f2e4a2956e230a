import { describe, expect, it } from '@jest/globals';
import { isTemplateFirst, surplusArguments } from './log-arguments.js';

const error = new Error('declined');
class Order {}
const order = new Order();

describe('arguments without a hole', () => {
  it.each<[string, unknown[], unknown, unknown, unknown[]]>([
    ['nothing', [], undefined, undefined, []],
    ['an error', [error], error, undefined, []],
    ['fields', [{ a: 1 }], undefined, { a: 1 }, []],
    ['an error and fields', [error, { a: 1 }], error, { a: 1 }, []],
    ['fields and an error', [{ a: 1 }, error], error, { a: 1 }, []],
    ['no error', [null], undefined, undefined, []],
    ['fields and no error', [{ a: 1 }, undefined], undefined, { a: 1 }, []],
    ['null before another value', [null, 5], undefined, undefined, [null, 5]],
    ['values', ['x', 5, order, [1]], undefined, undefined, ['x', 5, order, [1]]],
    ['two errors', [error, new Error('2')], error, undefined, [new Error('2')]],
    ['an object before a value', [{ a: 1 }, 5], undefined, undefined, [{ a: 1 }, 5]],
    ['two objects', [{ a: 1 }, { b: 2 }], undefined, { b: 2 }, [{ a: 1 }]],
  ])('are taken apart: %s', (_, surplus, found, fields, others) => {
    expect(surplusArguments(surplus)).toEqual({ error: found, fields, others });
  });

  it('may have errors of another kind', () => {
    expect(surplusArguments(['x', 5], (value) => value === 5)).toEqual({
      error: 5,
      fields: undefined,
      others: ['x'],
    });
  });
});

describe('the first text of a call', () => {
  const holes = (template: string): number => template.match(/\{\w+\}/g)?.length ?? 0;

  it.each<[boolean, string, unknown[]]>([
    [true, 'alone', []],
    [true, 'before an object', [{ a: 1 }]],
    [true, 'one {A}', ['x']],
    [true, 'one {A}', ['x', error]],
    [true, 'one {A}', ['x', undefined]],
    [true, 'one {A}', ['x', { a: 1 }]],
    [true, 'one {A}', ['x', { a: 1 }, null]],
    [true, 'one {A}', ['x', 'more']],
    [true, 'one {A}', ['x {B}', error]],
    [true, 'none', ['x', error]],
    [true, 'three {A} {B} {C}', ['x', error]],
    [false, 'none', ['x']],
    [false, 'none', ['x', { a: 1 }]],
    [false, 'two {A} {B}', ['x']],
    [false, 'one {A}', ['x {B}', 'y']],
    [false, 'one {A}', ['x {B}', 'y', { a: 1 }]],
    [true, 'one {A}', ['x {B}']],
    [true, 'one {A}', ['x {B} {C}', 'y']],
    [true, 'two {A} {B}', ['x {B}', 'y']],
  ])('is the template: %s for %j, %j', (isTemplate, first, args) => {
    expect(isTemplateFirst(first, args, holes)).toBe(isTemplate);
  });
});
