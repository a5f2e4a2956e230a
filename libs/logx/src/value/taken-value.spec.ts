import { describe, expect, it } from '@jest/globals';
import { fieldValueOf } from './field-value-of.js';
import { fieldValue, TakenMembers } from './taken-value.js';
import { shapeOf } from './shape.js';
import { resolveLimits } from './value-limits.js';
import { ValueReader } from './value-reader.js';

const read = (value: unknown, limits = {}): unknown =>
  new ValueReader(resolveLimits(limits)).take(value);

describe('an object that was read', () => {
  it('is a list of names and one of values', () => {
    const { names, values } = read({ b: 1, a: 'x', 0: true }) as TakenMembers;
    expect([names, values]).toEqual([
      ['0', 'b', 'a'],
      [true, 1, 'x'],
    ]);
  });

  it('has no members that are undefined', () => {
    const { names, values } = read({ a: undefined, b: 1, c: undefined, d: 2 }) as TakenMembers;
    expect([names, values]).toEqual([
      ['b', 'd'],
      [1, 2],
    ]);
  });

  it('becomes the same field value each time it is asked for', () => {
    const value = read({ a: { b: [1, { c: 2 }] } }) as TakenMembers;
    const object = fieldValue(value);
    expect(object).toEqual({ a: { b: [1, { c: 2 }] } });
    expect(fieldValue(value)).toBe(object);
  });

  it('does not change with what was logged', () => {
    const logged = { a: 1, b: [{ c: 2 }] };
    const value = read(logged) as TakenMembers;
    logged.a = 7;
    logged.b[0]!.c = 7;
    expect(fieldValue(value)).toEqual({ a: 1, b: [{ c: 2 }] });
  });

  it.each([
    [{ items: 2 }, { a: 1, b: 2, '…': '…' }],
    [{ items: 3 }, { a: 1, b: 2, c: { '…': '…' }, '…': '…' }],
    [{ text: 1 }, { a: 1, b: 2, c: { d: 3 }, 'l… (3 more characters)': 4 }],
  ])('is cut by the limits %j', (limits, expected) => {
    const value = { a: 1, b: 2, c: { d: 3 }, long: 4 };
    expect(fieldValueOf(value, resolveLimits(limits))).toEqual(expected);
  });
});

describe('shapeOf', () => {
  it('knows names that come again, in their order', () => {
    expect(shapeOf(['shape', 'a', 'b'])).toBeUndefined();
    const shape = shapeOf(['shape', 'a', 'b']);
    expect(shape?.names).toEqual(['shape', 'a', 'b']);
    expect(shapeOf(['shape', 'a', 'b'])).toBe(shape);
    expect(shapeOf(['shape', 'b', 'a'])).toBeUndefined();
    expect(shapeOf(['shape', 'a'])).toBeUndefined();
  });

  it('keeps nothing of objects with many members, and few shapes with one first name', () => {
    const many = Array.from({ length: 25 }, (_, i) => `many${i}`);
    expect([shapeOf(many), shapeOf(many)]).toEqual([undefined, undefined]);
    for (let i = 0; i < 8; i++) shapeOf(['few', String(i)]);
    expect([shapeOf(['few', 'x']), shapeOf(['few', 'x'])]).toEqual([undefined, undefined]);
    expect(shapeOf(['few', '7'])?.names).toEqual(['few', '7']);
  });
});
