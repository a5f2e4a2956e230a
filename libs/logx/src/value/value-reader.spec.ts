import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { fieldValue } from './taken-value.js';
import { resolveLimits } from './value-limits.js';
import { ValueReader } from './value-reader.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const readerWith = (limits = {}): ValueReader => new ValueReader(resolveLimits(limits));

/** A reader that expects objects with the names of this one. */
function readerAfter(example: object, limits = {}): ValueReader {
  const reader = readerWith(limits);
  for (let i = 0; i < 3; i++) reader.take({ ...example });
  return reader;
}

const shown = (reader: ValueReader, value: unknown): unknown => fieldValue(reader.take(value));

describe('a reader that has read similar objects', () => {
  it('reads an object with the same names', () => {
    const reader = readerAfter({ a: 1, b: 2 });
    const value = { a: 'x', b: { a: [true], b: null } };
    expect(shown(reader, value)).toEqual(value);
    expect(Object.keys(shown(reader, { b: 1, a: 2 }) as object)).toEqual(['b', 'a']);
  });

  it.each<[string, object, unknown]>([
    ['fewer members', { a: 1 }, { a: 1 }],
    ['more members', { a: 1, b: 2, c: 3 }, { a: 1, b: 2, c: 3 }],
    ['none', {}, {}],
    ['one that is undefined', { a: 1, b: undefined }, { a: 1 }],
    ['one that it inherits', Object.assign(Object.create({ b: 2 }), { a: 1 }), { a: 1 }],
    [
      'one more that it inherits',
      Object.assign(Object.create({ c: 3 }), { a: 1, b: 2 }),
      { a: 1, b: 2 },
    ],
    ['one that is not enumerable', Object.defineProperty({ a: 1 }, 'b', { value: 2 }), { a: 1 }],
    [
      'one that cannot be read',
      {
        a: 1,
        get b() {
          throw new Error('no');
        },
      },
      { a: 1, b: '[Unreadable: no]' },
    ],
    ['one of a symbol', { a: 1, b: 2, [Symbol('c')]: 3 }, { a: 1, b: 2 }],
  ])('reads an object with %s', (_what, value, read) => {
    const taken = shown(readerAfter({ a: 1, b: 2 }), value);
    expect(taken).toEqual(read);
    expect(taken).toStrictEqual(shown(readerWith(), value));
  });

  it('replaces a list or object whose proxy was revoked', () => {
    const { proxy, revoke } = Proxy.revocable({ a: 1, b: 2 }, {});
    revoke();
    const reader = readerAfter({ a: 1, b: 2 });
    expect(shown(reader, proxy)).toMatch(/^\[Unreadable: .*revoked/);
    expect(shown(reader, { a: 1, b: 2 })).toEqual({ a: 1, b: 2 });
  });

  it('reads each value as one that has read nothing does', () => {
    const names = fc.constantFrom('a', 'b', 'c', '0', '__proto__');
    const { value } = fc.letrec<{ value: unknown; record: unknown; list: unknown }>((tie) => ({
      record: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
      list: fc.array(tie('value'), { maxLength: 4 }),
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(1, 'x', null, undefined),
        tie('record'),
        tie('list'),
      ),
    }));
    const values = fc.array(value, { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 12 }), (all, items) => {
        const limits = { items, depth: 3 };
        const reader = readerWith(limits);
        for (const each of [...all, ...all, ...all]) {
          expect(shown(reader, each)).toStrictEqual(shown(readerWith(limits), each));
        }
      }),
    );
  });
});

describe('a reader', () => {
  it('reads what is logged while it reads, which has limits of its own', () => {
    const reader = readerWith({ items: 4, depth: 2 });
    let inner: unknown;
    const outer = {
      before: 1,
      toJSON() {
        inner = shown(reader, { a: [1, 2, 3, 4] });
        return [1, 2, 3];
      },
    };
    expect(shown(reader, outer)).toEqual([1, 2, 3]);
    expect(inner).toEqual({ a: [1, 2, 3, '…'] });
    expect(shown(reader, [1, 2, 3, 4, 5])).toEqual([1, 2, 3, 4, '…']);
  });

  it('keeps nothing of what it has read', async () => {
    const reader = readerWith();
    const ref = readAndForget(reader);
    // What a WeakRef was made for is kept until the end of the turn.
    await turn();
    collect();
    expect(ref.deref()).toBeUndefined();
    expect(shown(reader, 1)).toBe(1);
  });
});

function readAndForget(reader: ValueReader): WeakRef<object> {
  const value = { inner: [{ a: 1 }] };
  reader.take(value);
  return new WeakRef(value.inner[0]!);
}
