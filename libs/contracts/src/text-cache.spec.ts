import { describe, expect, it } from '@jest/globals';
import { onceForText, TextCache } from './text-cache.js';

function filled(size: number): TextCache<number> {
  const cache = new TextCache<number>({ size });
  for (let i = 0; i < size; i++) cache.keep(`text ${i}`, i);
  return cache;
}

function knownOf(cache: TextCache<number>, count: number): number {
  return Array.from({ length: count }, (_, i) => cache.get(`text ${i}`)).filter(
    (value) => value !== undefined,
  ).length;
}

describe('TextCache', () => {
  it('knows what it was given', () => {
    expect(knownOf(filled(1_000), 1_000)).toBe(1_000);
  });

  it('keeps nothing of a long text', () => {
    const cache = new TextCache<number>({ textLength: 4 });
    cache.keep('12345', 5);
    cache.keep('1234', 4);
    expect([cache.get('12345'), cache.get('1234')]).toEqual([undefined, 4]);
  });

  it('holds no more than it may, and most of what it had, when texts come that come once', () => {
    const cache = filled(1_000);
    for (let i = 0; i < 2_000; i++) cache.keep(`once ${i}`, i);
    const known = knownOf(cache, 1_000);
    const others = Array.from({ length: 2_000 }, (_, i) => cache.get(`once ${i}`));
    expect(known).toBeGreaterThan(500);
    expect(known + others.filter((value) => value !== undefined).length).toBe(1_000);
  });

  it('takes a text that comes again and again, also when it is full', () => {
    const cache = filled(10);
    for (let i = 0; i < 1_000; i++) cache.keep('new', i);
    expect(cache.get('new')).toBeDefined();
  });

  it('takes another value for a text that it knows, also when it is full', () => {
    const cache = filled(10);
    cache.keep('text 3', 33);
    expect(cache.get('text 3')).toBe(33);
    expect(knownOf(cache, 10)).toBe(10);
  });
});

describe('onceForText', () => {
  it.each<[string, boolean | string | null]>([
    ['false', false],
    ['null', null],
    ['an empty text', ''],
    ['a text', 'made'],
  ])('makes %s once', (_what, made) => {
    let calls = 0;
    const once = onceForText(() => (calls++, made));
    expect([once('a'), once('a'), once('a'), calls]).toEqual([made, made, made, 1]);
  });

  it('makes what it cannot keep each time', () => {
    let calls = 0;
    const once = onceForText(() => ++calls, { textLength: 1 });
    expect([once('ab'), once('ab')]).toEqual([1, 2]);
  });
});
