import { describe, expect, it } from '@jest/globals';
import type { Rules } from '@apix/proto/internal';
import { commentExample } from '../declarations.js';
import { durationSample, numberSample, timestampSample } from './ordered-sample.js';
import { textSample } from './text-sample.js';

describe('textSample', () => {
  it.each<[Rules, string | undefined]>([
    [{}, 'title'],
    [{ example: ['tea'] }, 'tea'],
    [{ example: ['too long'], maxLen: '3' }, 'tit'],
    [{ const: '' }, ''],
    [{ in: ['a', 'b'], notIn: ['a'] }, 'b'],
    [{ minLen: '8' }, 'titletit'],
    [{ len: '3' }, 'tit'],
    [{ minBytes: '6', maxBytes: '6' }, 'titlet'],
    [{ prefix: 'a-', suffix: '-z' }, 'a-title-z'],
    [{ contains: '@' }, '@'],
    [{ email: true }, 'someone@example.com'],
    [{ uuid: true }, '123e4567-e89b-42d3-a456-426614174000'],
    [{ hostAndPort: true }, 'example.com:443'],
    [{ wellKnownRegex: 'KNOWN_REGEX_HTTP_HEADER_NAME' }, 'x-example'],
    [{ pattern: '^[a-z]+$' }, 'title'],
    [{ pattern: '^[A-Z]{3}$' }, 'ABC'],
    [{ pattern: '^[a-z]+$', minLen: '12' }, 'abcdefghijkl'],
    [{ pattern: '^(?=x)', minLen: '2' }, 'xx'],
    [{ const: 'a', notIn: ['a'] }, undefined],
  ])('of %j is %p', (rules, text) => {
    expect(textSample(rules, 'title')).toBe(text);
  });
});

describe('numberSample', () => {
  it.each<[Rules, string | undefined]>([
    [{}, '1'],
    [{ example: [7] }, '7'],
    [{ example: ['seven'] }, '1'],
    [{ const: 0 }, '0'],
    [{ in: [5, 6] }, '5'],
    [{ gte: 10 }, '10'],
    [{ gt: '9007199254740993' }, '9007199254740994'],
    [{ lt: 0 }, '-1'],
    [{ lte: -5 }, '-5'],
    [{ notIn: [1] }, '0'],
    [{ gt: 100, lt: 0 }, '101'],
    [{ gt: 3, lt: 3.5 }, undefined],
  ])('of a whole number with %j is %p', (rules, text) => {
    expect(numberSample(rules, { isWhole: true, isUnsigned: false })).toBe(text);
  });

  it.each<[Rules, string | undefined]>([
    [{ gt: 3, lt: 3.6 }, '3.5'],
    [{ gte: 0.25, lte: 0.5 }, '0.25'],
  ])('of a fraction with %j is %p', (rules, text) => {
    expect(numberSample(rules, { isWhole: false, isUnsigned: false })).toBe(text);
  });

  it('of an unsigned number is never negative', () => {
    expect(numberSample({ lt: 1 }, { isWhole: true, isUnsigned: true })).toBe('0');
  });
});

describe('timestampSample', () => {
  it.each<[Rules, string | undefined]>([
    [{}, '2026-01-01T00:00:00Z'],
    [{ gtNow: true }, '2099-01-01T00:00:00Z'],
    [{ ltNow: true }, '2026-01-01T00:00:00Z'],
    [{ gte: '2030-05-05T00:00:00Z' }, '2030-05-05T00:00:00Z'],
    [{ gt: '2030-05-05T00:00:00Z' }, '2030-05-06T00:00:00Z'],
    [{ lt: '2020-05-05T00:00:00Z' }, '2020-05-04T00:00:00Z'],
    [{ within: '3600s' }, undefined],
  ])('of %j is %p', (rules, text) => {
    expect(timestampSample(rules)).toBe(text);
  });
});

describe('durationSample', () => {
  it.each<[Rules, string | undefined]>([
    [{}, '60s'],
    [{ lte: '5s' }, '1s'],
    [{ gt: '90s' }, '91s'],
    [{ in: ['2s', '4s'] }, '2s'],
    [{ lt: '0s' }, '-0.001s'],
  ])('of %j is %p', (rules, text) => {
    expect(durationSample(rules)).toBe(text);
  });
});

describe('commentExample', () => {
  it.each([
    ['ISO 4217 code, such as `EUR`.', 'EUR'],
    ['A time zone, for example `Europe/Berlin`, or nothing.', 'Europe/Berlin'],
    ['A name, e.g.\n`tea`', 'tea'],
    ['Example: `"quoted"`', 'quoted'],
    ['Resource name, `products/<id>`.', undefined],
    ['', undefined],
  ])('of %p is %p', (comment, example) => {
    expect(commentExample(comment)).toBe(example);
  });
});
