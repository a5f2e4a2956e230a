import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type OrderEntry, startOrder } from './start-order.js';

function entries(text: string): OrderEntry[] {
  return text.split(' ').map((word) => {
    const [, name, transport, after] = /^(\w+)(!?)(?:\((.*)\))?$/.exec(word)!;
    return {
      name: name!,
      tier: transport === '!' ? 'transport' : 'service',
      after: after?.split(',').filter((one) => one !== ''),
    };
  });
}

/** The order of `a b(a) c!`: names, `!` for a transport, `after` in brackets. */
function orderOf(text: string): { waits: string; mistakes: string[] } {
  const mistakes: string[] = [];
  const all = entries(text);
  const order = startOrder(all, mistakes);
  const waits = all
    .map(({ name }, index) => `${name}:${order[index]!.map((i) => all[i]!.name).join(',')}`)
    .join(' ');
  return { waits, mistakes };
}

describe('the start order', () => {
  it.each([
    ['registration order', 'a b c', 'a: b:a c:a,b'],
    ['after alone decides where it is given', 'a b() c(a)', 'a: b: c:a'],
    ['an entry without after comes after all earlier ones', 'a() b() c', 'a: b: c:a,b'],
    ['except those that wait for it', 'a(b) b', 'a:b b:'],
    ['also by a detour', 'a(c) b(a) c d', 'a:c b:a c: d:a,b,c'],
    ['a transport waits for every service', 'a b() c!(a) d!', 'a: b: c:a,b d:a,b,c'],
    ['transports may be independent of each other', 'a b!() c!()', 'a: b:a c:a'],
  ])('%s: %s', (_, text, waits) => {
    expect(orderOf(text)).toEqual({ waits, mistakes: [] });
  });

  it.each([
    ['a(x)', 'service a: after: there is no service x'],
    ['a(a)', 'services wait for each other: a → a; '],
    ['a(b) b(c) c(a)', 'services wait for each other: a → b → c → a; '],
    ['a(b) b!', 'services wait for each other: a → b → a; a transport waits for every service'],
  ])('%s is a mistake', (text, mistake) => {
    const { mistakes } = orderOf(text);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain(mistake);
  });

  it('never waits in a circle, and keeps every stated edge', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const entry = fc.record({
      tier: fc.constantFrom('service' as const, 'transport' as const),
      after: fc.option(fc.subarray(names), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(entry, { minLength: 6, maxLength: 6 }), (made) => {
        const all = made
          .map((one, index) => ({ ...one, name: names[index]! }))
          .toSorted((a, b) => a.tier.localeCompare(b.tier));
        const mistakes: string[] = [];
        const order = startOrder(all, mistakes);
        fc.pre(mistakes.length === 0);
        const started = new Set<number>();
        for (let round = 0; round < all.length; round++) {
          for (const [index, before] of order.entries()) {
            if (before.every((one) => started.has(one))) started.add(index);
          }
        }
        expect(started.size).toBe(all.length);
        for (const [index, one] of all.entries()) {
          const before = order[index]!.map((at) => all[at]!.name);
          expect(before).toEqual(expect.arrayContaining([...(one.after ?? [])]));
        }
      }),
    );
  });
});
