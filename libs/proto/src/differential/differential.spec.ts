import { describe, expect, it } from '@jest/globals';
import { judgeCases } from './cases.fixture.js';
import { REFUSALS, givenIn } from './refusals.fixture.js';

/** `npm run conformance:codec` judges as many as it is asked to. */
const CASES = 2_500;

describe('JsonCodec and the wire codec', () => {
  it('read, write and hand over messages of any type as protobuf-es does', () => {
    const { cases, mistakes, verdicts } = judgeCases(15, CASES);
    expect(mistakes).toEqual([]);
    expect(cases).toBe(CASES);
    // Cases that both sides refuse would show little.
    const read = [...verdicts].filter(([name]) => name.endsWith(': both read'));
    expect(read.map(([name]) => name).toSorted()).toEqual([
      'jsonToWire: both read',
      'readJson: both read',
      'readWire: both read',
      'transfer: both read',
      'wireToJson: both read',
      'writeJson: both read',
      'writeWire: both read',
    ]);
    expect(Math.min(...read.map(([, count]) => count))).toBeGreaterThan(CASES / 20);
  }, 120_000);
});

describe('a documented refusal', () => {
  it.each([
    ['a date that the calendar does not have, or the hour 24', '{"a":"2023-02-29T00:00:00Z"}'],
    ['a date that the calendar does not have, or the hour 24', '{"a":"2024-04-31T00:00:00Z"}'],
    ['a date that the calendar does not have, or the hour 24', '{"a":"2024-01-01T24:00:00Z"}'],
    ['a number in quotes that is not written as JSON writes numbers', '{"a":"0x10"}'],
    ['a number in quotes that is not written as JSON writes numbers', '{"a":{"0b11":1}}'],
    ['a duration with something after its s', '{"a":"1s?"}'],
    ['half of a surrogate pair', '{"a":"\\ud800"}'],
    ['a 64-bit integer in quotes with an exponent or a fraction of zero', '{"a":"-1e3"}'],
    ['a 64-bit integer in quotes with an exponent or a fraction of zero', '{"a":"5.0"}'],
    ['null leaves an extension unset', '{"[odd.x]":null}'],
  ])('is recognised by its cause: %s in %s', (name, json) => {
    const found = REFUSALS.filter((refusal) => refusal.isIn(givenIn(json)));
    expect(found.map((refusal) => refusal.name)).toEqual([name]);
  });

  it('is not seen in documents without its cause', () => {
    const json = '{"a":"2024-02-29T23:59:59Z","b":"1.5s","c":"-1.5e0","d":"\\ud83c\\udf0d","e":7}';
    expect(REFUSALS.filter((refusal) => refusal.isIn(givenIn(json)))).toEqual([]);
  });
});
