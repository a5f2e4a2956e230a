import { describe, expect, it } from '@jest/globals';
import { judgeCases } from './cases.fixture.js';
import { kinds } from '../kinds.fixture.js';
import { REFUSALS, givenIn } from './refusals.fixture.js';
import { repairsOf } from './repairs.fixture.js';
import { wireCauseIn } from './wire-causes.fixture.js';

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
    ['a number in quotes that is not written as JSON writes numbers', '{"a":{"00x10":1}}'],
    ['a duration with something after its s', '{"a":"1s?"}'],
    ['half of a surrogate pair', '{"a":"\\ud800"}'],
    ['a 64-bit integer in quotes with an exponent or a fraction of zero', '{"a":"-1e3"}'],
    ['a 64-bit integer in quotes with an exponent or a fraction of zero', '{"a":"5.0"}'],
    ['an extension of another message', '{"[odd.x]":1}'],
  ])('is recognised by its cause: %s in %s', (name, json) => {
    const found = REFUSALS.filter((refusal) => refusal.isIn(givenIn(json)));
    expect(found.map((refusal) => refusal.name)).toEqual([name]);
  });

  it('is one of two for an extension that is null: of another message, or left unset', () => {
    const found = REFUSALS.filter((refusal) => refusal.isIn(givenIn('{"[odd.x]":null}')));
    expect(found.map((refusal) => refusal.name)).toEqual([
      'an extension of another message',
      'null leaves an extension unset',
    ]);
  });

  it.each([
    ['expected number (int64), got "no"', true],
    ['expected number (int64), got "maybe"', false],
  ])('is one of a wrong key only where the error is about a key: %s', (says, expected) => {
    const refusal = REFUSALS.find(({ name }) => name.startsWith('a wrong key of a map'))!;
    expect(refusal.isIn(givenIn('{"no":"NO_SUCH","yes":1,"a":"maybe"}'), says)).toBe(expected);
  });

  it('is not seen in documents without its cause', () => {
    const json = '{"a":"2024-02-29T23:59:59Z","b":"1.5s","c":"-1.5e0","d":"\\ud83c\\udf0d","e":7}';
    expect(REFUSALS.filter((refusal) => refusal.isIn(givenIn(json)))).toEqual([]);
  });
});

describe('the cause of a refusal of the wire', () => {
  const Kinds = kinds.registry.getMessage('apix.testdata.Kinds')!;

  it.each([
    ['no', 'a message inside', '8a01 02 18 01'],
    ['no', 'a varint of ten bytes', 'c0b802 80808080808080808001'],
    ['no', 'a group that nobody knows', '8a01 08 c3b802 08 01 c4b802'],
    ['long varint', 'one of eleven', 'c0b802 8080808080808080808001'],
    [
      'long varint',
      'one whose eleventh byte is beyond its message',
      '8a01 0d c0b802 8080808080808080808001',
    ],
    [
      'long varint',
      'one inside of a group that nobody knows',
      'c3b802 08 8080808080808080808001 c4b802',
    ],
    [
      'overrun',
      'one whose tenth byte is beyond its message',
      '8a01 0c c0b802 80808080808080808001',
    ],
    ['overrun', 'a length beyond the end of its message', '8a01 02 72 05 6161616161'],
    ['overrun', 'a tag across the end of its message', '8a01 01 80 01 01'],
    ['overrun', 'a group whose end is beyond its message', '8a01 05 c3b802 08 01 c4b802'],
    ['overrun', 'an item across the end of its list', 'a201 01 80 01'],
    ['wire type', 'a number for a text', '70 01'],
    ['wire type', 'a number for a text in an entry of a map', 'c201 02 08 01'],
  ])('is %s for %s: %s', (cause, _, bytes) => {
    const wire = Buffer.from(bytes.replaceAll(' ', ''), 'hex');
    expect(wireCauseIn(Kinds, wire) ?? 'no').toBe(cause);
  });
});

describe('a document in other words', () => {
  const DIGITS = 'every digit of a 64-bit integer is kept';
  const IGNORED = 'a name of an enum that is ignored leaves an extension unset';
  const NULL = 'null leaves an extension unset';
  const ZEROS =
    'a 64-bit integer that its field keeps as text has no zeros before it, as from the wire';

  it.each<[string, readonly (readonly [string, string])[]]>([
    ['{"a":1,"b":"9007199254740993","c":1e300}', []],
    ['{"a":9007199254740993}', [[DIGITS, '{"a":"9007199254740993"}']]],
    ['{"a":-90071992547409930.0e1}', [[DIGITS, '{"a":"-900719925474099300"}']]],
    ['{"a":"-007"}', [[ZEROS, '{"a":"-7"}']]],
    ['{"[apix.testdata.note]":null,"a":1}', [[NULL, '{"a":1}']]],
    ['{"a":1 , "[apix.testdata.note]" : null }', [[NULL, '{"a":1  }']]],
    ['{"[apix.testdata.size_beside]":"NO_SUCH"}', [[IGNORED, '{}']]],
    ['{"[apix.testdata.size_beside]":"SMALL"}', []],
  ])('is made of %s', (json, expected) => {
    const others = [...repairsOf(json, kinds.registry)].filter((one) => one.json !== json);
    expect(others.map((one) => [one.name, one.json])).toEqual(expected);
  });

  it('keeps some numbers and some texts as they are', () => {
    const json = '{"a":9007199254740993,"b":9007199254740995,"c":"05"}';
    expect([...repairsOf(json, kinds.registry)].map((one) => one.json)).toEqual([
      '{"a":"9007199254740993","b":"9007199254740995","c":"05"}',
      '{"a":9007199254740993,"b":"9007199254740995","c":"05"}',
      '{"a":9007199254740993,"b":9007199254740995,"c":"05"}',
      '{"a":"9007199254740993","b":9007199254740995,"c":"05"}',
      '{"a":"9007199254740993","b":"9007199254740995","c":"5"}',
    ]);
  });
});
