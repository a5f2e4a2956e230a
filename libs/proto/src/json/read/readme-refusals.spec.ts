import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { fromJsonString } from '@bufbuild/protobuf';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { JsonCodec } from '../json-codec.js';
import { JsonDecodeError } from '../json-decode-error.js';

const { registry } = kinds;
const codec = new JsonCodec(registry);
const ANY = 'type.googleapis.com/google.protobuf';
const INNER = 'type.googleapis.com/apix.testdata.Kinds';

/** What the README says that protobuf-es takes and this package refuses, with documents. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  'dates that the calendar does not have, and the hour 24': [
    '{"timestamp":"2023-02-29T00:00:00Z"}',
    '{"timestamp":"2024-04-31T00:00:00Z"}',
    '{"timestamp":"2024-01-01T24:00:00Z"}',
    `{"any":{"@type":"${INNER}","timestamp":"2023-02-29T00:00:00Z"}}`,
  ],
  'numbers in quotes that are not written as JSON writes numbers: `"0x10"`, `"0b11"`, `"+5"`, `".5"` (zeros before digits are taken)':
    [
      '{"int32Value":"0x10"}',
      '{"int64List":["0b11"]}',
      '{"uint32Value":"+5"}',
      '{"doubleValue":".5"}',
      '{"int64ByInt64":{"0x10":"1"}}',
      '{"int64ByInt64":{"00x10":"1"}}',
      '{"wrappedInt64":"0x10"}',
      `{"any":{"@type":"${ANY}.Int32Value","value":"0x10"}}`,
    ],
  'integers with a fraction, however small, or beyond 64 bits, where a double would round it away':
    [
      '{"int32Value":1e-400}',
      '{"int64Value":1.00000000000000000001}',
      '{"int64Value":-9223372036854775809}',
    ],
  'integers of more than 64 characters': [`{"int32Value":"1.${'0'.repeat(63)}"}`],
  'numbers beyond a double inside a `Struct`, `Value` or `ListValue`': [
    '{"struct":{"a":1e400}}',
    '{"anyJson":1e400}',
    '{"anyJson":[1e400]}',
  ],
  'a duration with something behind its `s`': ['{"duration":"1ss"}', '{"duration":"1sx"}'],
  'base64 with white space, or with padding that is not whole or not at its end': [
    '{"bytesValue":"Y Q=="}',
    '{"bytesValue":"YQ="}',
    '{"bytesValue":"YQ==YQ=="}',
  ],
  'half of a surrogate pair inside a `Struct`, `Value`, `ListValue` or `FieldMask`': [
    '{"struct":{"a":"\\ud800"}}',
    '{"struct":{"\\ud800":1}}',
    '{"anyJson":["\\udc00"]}',
    '{"mask":"\\ud800"}',
  ],
  'an `Any` of a type with its own JSON form, with more than `value`': [
    `{"any":{"@type":"${ANY}.Int32Value","value":1,"more":1}}`,
  ],
  'an extension of another message': [
    '{"[apix.testdata.note]":"a"}',
    '{"[apix.testdata.note]":null}',
    '{"child":{"[apix.testdata.note]":"a"}}',
    `{"any":{"@type":"${INNER}","[apix.testdata.note]":"a"}}`,
  ],
};

describe('what the README says of refusals', () => {
  it('is all here', () => {
    const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
    const section = /protobuf-es takes all of these;[^]*?\n\n([^]*?)\n\n/.exec(readme)?.[1] ?? '';
    const bullets = section.split('\n').map((line) => line.replace(/^- (.*)[;.]$/, '$1'));
    expect(Object.keys(REFUSED)).toEqual(bullets);
  });

  it.each(Object.values(REFUSED).flat())('is true of %s', (json) => {
    expect(fromJsonString(KindsSchema, json, { registry })).toBeDefined();
    expect(() => codec.decode(KindsSchema, json)).toThrow(JsonDecodeError);
    expect(() => codec.toWire(KindsSchema, json)).toThrow(JsonDecodeError);
  });

  it('is true of what it takes', () => {
    expect(codec.decode(KindsSchema, '{"int32Value":"007"}')).toMatchObject({ int32Value: 7 });
  });

  it('is true of required fields, on the way to the wire', () => {
    const demanding = registry.getMessage('apix.testdata.Demanding')!;
    for (const json of ['{"text":null}', '{}']) {
      expect(Object.hasOwn(codec.decode(demanding, json), 'text')).toBe(false);
      expect(() => codec.toWire(demanding, json)).toThrow(JsonDecodeError);
    }
  });
});
