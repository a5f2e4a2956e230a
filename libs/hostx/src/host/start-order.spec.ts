import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { cpuTimeOf } from '../../../../tools/testing/cpu-time.js';
import { closed, orderByPairs } from './start-order.fixture.js';
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

/** What each entry waits for, directly or not, without the gate. */
function waitsOf(all: readonly OrderEntry[], mistakes: string[]): readonly (readonly number[])[] {
  const order = closed(startOrder(all, mistakes));
  return order.slice(0, all.length).map((waits) => waits.filter((one) => one < all.length));
}

/** The order of `a b(a) c!`: names, `!` for a transport, `after` in brackets. */
function orderOf(text: string): { waits: string; mistakes: string[] } {
  const mistakes: string[] = [];
  const all = entries(text);
  const order = waitsOf(all, mistakes);
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
    ['also by a detour', 'a(c) b(a) c d', 'a:c b:a,c c: d:a,b,c'],
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

  it.each([
    ['a(b) b(a) c(d) d(c) e(e) f', ['a → b → a', 'c → d → c', 'e → e']],
    ['a(c) b(d) c! d!', ['a → c → a', 'b → d → b']],
  ])('names every cycle of %s that is apart from the others', (text, cycles) => {
    const { mistakes } = orderOf(text);
    expect(mistakes.map((one) => /other: (.*);/.exec(one)![1])).toEqual(cycles);
  });

  it('is the one that asking for each pair gives, and keeps every stated wait', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    const entry = fc.record({
      tier: fc.constantFrom('service' as const, 'service' as const, 'transport' as const),
      after: fc.option(fc.subarray(names, { maxLength: 3 }), { nil: undefined, freq: 2 }),
    });
    let compared = 0;
    fc.assert(
      fc.property(fc.array(entry, { minLength: 8, maxLength: 8 }), (made) => {
        const all = made
          .map((one, index) => ({ ...one, name: names[index]! }))
          .toSorted((a, b) => a.tier.localeCompare(b.tier));
        const mistakes: string[] = [];
        const order = waitsOf(all, mistakes);
        const expected = orderByPairs(all);
        expect(mistakes.length > 0).toBe(expected === null);
        if (expected === null) return;
        compared += 1;
        expect(order).toEqual(expected);
      }),
      { numRuns: 3_000 },
    );
    expect(compared).toBeGreaterThan(100);
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
        const order = waitsOf(all, mistakes);
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

  const many = Array.from({ length: 10_000 }, (_, index) => index);
  const service = (index: number, after?: readonly string[]): OrderEntry => ({
    name: `s${index}`,
    tier: 'service',
    after,
  });
  const transport = (index: number, after?: readonly string[]): OrderEntry => ({
    name: `s${index}`,
    tier: 'transport',
    after,
  });

  it.each<[string, readonly OrderEntry[]]>([
    ['a chain', many.map((index) => service(index))],
    ['a chain of transports', many.map((index) => transport(index))],
    ['services that start at once', many.map((index) => service(index, []))],
    [
      'as many jobs as services',
      many.map((index) => (index < 5_000 ? service(index, []) : transport(index, []))),
    ],
    ['a chain by after', many.map((index) => service(index, index === 0 ? [] : [`s${index - 1}`]))],
    [
      'a chain by after, registered in reverse',
      many.map((index) => service(index, index === 9_999 ? [] : [`s${index + 1}`])),
    ],
    [
      'services that each name a later one',
      many.map((index) => service(index, index < 5_000 ? [`s${index + 5_000}`] : undefined)),
    ],
    [
      'a service that names all after it',
      many.map((index) =>
        service(index, index === 0 ? many.slice(1).map((one) => `s${one}`) : undefined),
      ),
    ],
  ])('of 10,000, %s, has at most three waits for each and takes under a second', (_, all) => {
    const mistakes: string[] = [];
    const order = startOrder(all, mistakes);
    expect(mistakes).toEqual([]);
    expect(order.flat().length).toBeLessThanOrEqual(30_000);
    expect(cpuTimeOf(() => startOrder(all, []))).toBeLessThan(1_000);
  });

  it('reports a circle of 10,000 services', () => {
    const mistakes: string[] = [];
    startOrder(
      many.map((index) => service(index, [`s${(index + 1) % 10_000}`])),
      mistakes,
    );
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toMatch(/^services wait for each other: s0 → s1 → .* → s9999 → s0; /);
  });
});
