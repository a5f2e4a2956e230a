import { describe, expect, it } from '@jest/globals';
import { fromBinary, fromJson, toBinary } from '@bufbuild/protobuf';
import { KindsSchema, kinds } from '../../kinds.fixture.js';
import { JsonCodec } from '../json-codec.js';

const codec = new JsonCodec(kinds.registry);
const ANY = 'type.googleapis.com/google.protobuf';

/** What is no value of its field, though protobuf-es or JavaScript takes some of it for one. */
const WRONG: readonly (readonly [string, string])[] = [
  ['a day that its month has not', '{"timestamp":"2023-02-29T00:00:00Z"}'],
  ['the 31st of April', '{"timestamp":"2024-04-31T00:00:00Z"}'],
  ['the hour 24', '{"timestamp":"2024-01-01T24:00:00Z"}'],
  ['a leap second', '{"timestamp":"2016-12-31T23:59:60Z"}'],
  ['the year 0', '{"timestamp":"0000-01-01T00:00:00Z"}'],
  ['a year moved out of range', '{"timestamp":"0001-01-01T00:00:00+00:01"}'],
  ['an offset of 24 hours', '{"timestamp":"2024-01-01T00:00:00+24:00"}'],
  ['a month 13', '{"timestamp":"2024-13-01T00:00:00Z"}'],
  ['ten digits of a second', '{"timestamp":"2024-01-01T00:00:00.0123456789Z"}'],
  ['a duration with more behind it', '{"duration":"1seconds"}'],
  ['a duration of ten digits', '{"duration":"0.0123456789s"}'],
  ['a duration beyond 10,000 years', '{"duration":"315576000001s"}'],
  ['a duration with a plus', '{"duration":"+1s"}'],
  ['hexadecimal digits', '{"int32Value":"0x10"}'],
  ['binary digits', '{"uint32Value":"0b11"}'],
  ['octal digits', '{"int32Value":"0o17"}'],
  ['hexadecimal digits of 64 bits', '{"int64Value":"0x10"}'],
  ['hexadecimal digits of a double', '{"doubleValue":"0x10"}'],
  ['a plus', '{"int32Value":"+1"}'],
  ['a space in a number', '{"int32Value":" 1"}'],
  ['a separator in a number', '{"int32Value":"1_000"}'],
  ['an empty number', '{"int32Value":""}'],
  ['a point without digits', '{"doubleValue":"1."}'],
  ['a fraction of an integer', '{"int32Value":1.5}'],
  ['a fraction beyond a double', '{"int32Value":"1.00000000000000000001"}'],
  ['a double out of range', '{"doubleValue":1e309}'],
  ['a float out of range', '{"floatValue":3.5e38}'],
  ['a float out of range in quotes', '{"floatValue":"-1e39"}'],
  ['Infinity without quotes', '{"doubleValue":Infinity}'],
  ['infinity in small letters', '{"doubleValue":"infinity"}'],
  ['base64 with a space', '{"bytesValue":"AA AA"}'],
  ['base64 with padding inside', '{"bytesValue":"AA==AA=="}'],
  ['one digit of base64', '{"bytesValue":"A"}'],
  ['a boolean in quotes', '{"boolValue":"true"}'],
  ['a boolean as a number', '{"boolValue":1}'],
  ['an enum out of range', '{"colour":2147483648}'],
  ['a fraction of an enum', '{"colour":1.5}'],
  ['an enum of another case', '{"colour":"colour_red"}'],
  ['a hexadecimal key', '{"int64ByInt64":{"0x1":"1"}}'],
  ['a key with a plus', '{"int64ByInt64":{"+1":"1"}}'],
  ['an empty key', '{"int64ByInt64":{"":"1"}}'],
  ['one key in two forms', '{"int64ByInt64":{"1":"1","01":"1"}}'],
  ['a wrapped hexadecimal', '{"wrappedInt64":"0x1"}'],
  ['a hexadecimal in a list', '{"int64List":["0x1"]}'],
  [
    'an Any of an impossible date',
    `{"any":{"@type":"${ANY}.Timestamp","value":"2023-02-29T00:00:00Z"}}`,
  ],
  ['an Any of a hexadecimal', `{"any":{"@type":"${ANY}.Int32Value","value":"0x1"}}`],
  ['an Any of a wrapper without value', `{"any":{"@type":"${ANY}.Int32Value"}}`],
  ['an Any of a wrapper and more', `{"any":{"@type":"${ANY}.Int32Value","value":1,"more":1}}`],
  ['an Any with its type twice', `{"any":{"@type":"${ANY}.Empty","@type":"${ANY}.Empty"}}`],
  ['an Any without type', '{"any":{"value":1}}'],
  ['a number out of range in a Struct', '{"struct":{"a":1e400}}'],
  ['a member twice in a Struct', '{"struct":{"a":1,"a":2}}'],
  ['a null in a list', '{"stringList":[null]}'],
  ['a null in a list of integers', '{"int64List":["1",null]}'],
  ['a null in a list of enums', '{"colours":[null]}'],
  ['a null in a list of messages', '{"children":[{},null]}'],
  ['a null in a map of integers', '{"int64ByInt64":{"1":null}}'],
  ['a null in a map of messages', '{"kindsByText":{"a":null}}'],
  ['a null in a map', '{"textByText":{"a":null}}'],
];

describe('JsonCodec', () => {
  it.each(WRONG)('refuses %s, for a message and for the wire: %s', (_, json) => {
    const place = /^\$(\.\w+|\[\d+\]|\["[^"]*"\])+: |^\$\.\w+: invalid JSON/;
    expect(() => codec.decode(KindsSchema, json)).toThrow(place);
    expect(() => codec.toWire(KindsSchema, json)).toThrow(place);
    expect(() => codec.decode(KindsSchema, json)).toThrow(
      messageOf(() => codec.toWire(KindsSchema, json)),
    );
  });

  it.each([
    ['zeros before digits', '{"int32Value":"007"}', '{"int32Value":7}'],
    ['an exponent', '{"int32Value":1e2}', '{"int32Value":100}'],
    ['an integer with zeros behind its point', '{"int64Value":"1.0"}', '{"int64Value":"1"}'],
    ['the largest float', '{"floatValue":3.4028234e38}', '{"floatValue":3.4028234663852886e+38}'],
    [
      'a leap day',
      '{"timestamp":"2024-02-29T23:59:59.5+01:00"}',
      '{"timestamp":"2024-02-29T22:59:59.500Z"}',
    ],
    ['a negative part of a second', '{"duration":"-0.5s"}', '{"duration":"-0.500s"}'],
    ['base64 for URLs without padding', '{"bytesValue":"-_8"}', '{"bytesValue":"+/8="}'],
    [
      'an Any whose type comes last',
      `{"any":{"value":"1","@type":"${ANY}.Int64Value"}}`,
      `{"any":{"@type":"${ANY}.Int64Value","value":"1"}}`,
    ],
    [
      'enums in a list, by name and by number',
      '{"colours":["COLOUR_RED",-5,7,"COLOUR_BLUE"]}',
      '{"colours":["COLOUR_RED","COLOUR_BLUE",7,"COLOUR_BLUE"]}',
    ],
    ['null for a field', '{"int32Value":null,"stringList":null,"child":null}', '{}'],
    [
      'null for a member of a oneof',
      '{"choiceText":null,"choiceNumber":"1"}',
      '{"choiceNumber":"1"}',
    ],
    ['null for a Value', '{"anyJson":null}', '{"anyJson":null}'],
  ])('takes %s: %s', (_, json, written) => {
    const message = codec.decode(KindsSchema, json);
    expect(codec.encode(KindsSchema, message)).toBe(written);
    expect(fromBinary(KindsSchema, codec.toWire(KindsSchema, json))).toEqual(
      fromBinary(KindsSchema, toBinary(KindsSchema, message as never)),
    );
  });

  // Looked through from each level anew, it would take 2^30 steps.
  it('reads nested values of Any, their types last, in one look ahead', () => {
    let json = `{"value":"1","@type":"${ANY}.Int64Value"}`;
    for (let i = 0; i < 30; i += 1) json = `{"value":${json},"@type":"${ANY}.Any"}`;
    expect(codec.decode(KindsSchema, `{"any":${json}}`)).toHaveProperty('any.value.length');
  });

  it.each([
    '{"int64ByInt64":{"1":"1","01":{}}}',
    '{"textByText":{"a":"1","a":2}}',
    '{"struct":{"a":1,"a":"\\ud800"}}',
  ])('says that a key is given twice before it reads its second value: %s', (json) => {
    expect(() => codec.decode(KindsSchema, json)).toThrow('given more than once');
    expect(() => codec.toWire(KindsSchema, json)).toThrow('given more than once');
  });

  it('refuses two members of a oneof by the name that came first', () => {
    expect(() => codec.decode(KindsSchema, '{"choice_text":"a","choiceNumber":1}')).toThrow(
      '$.choiceNumber: "choice_text" already sets the oneof choice',
    );
  });

  it.each([
    ['{"choiceText":null,"choiceNumber":1,"choiceKinds":{}}', 'choiceKinds', 'choiceNumber'],
    ['{"choice_number":1,"choiceText":null,"choiceKinds":{}}', 'choiceKinds', 'choice_number'],
    ['{"choiceKinds":null,"choiceNumber":1,"choiceText":"a"}', 'choiceText', 'choiceNumber'],
  ])('names the member that set the oneof, not one that null left unset: %s', (json, at, by) => {
    const problem = `$.${at}: "${by}" already sets the oneof choice`;
    expect(() => codec.decode(KindsSchema, json)).toThrow(problem);
    expect(() => codec.toWire(KindsSchema, json)).toThrow(problem);
  });

  it.each([
    ['{"choiceNumber":1,"choiceText":null,"choiceText":null}', 'given more than once'],
    [
      '{"choiceNumber":1,"choice_text":null,"choiceText":null}',
      '"choice_text" already sets the field choice_text',
    ],
  ])('names the earlier one of two members of a field: %s', (json, problem) => {
    expect(() => codec.decode(KindsSchema, json)).toThrow(`$.choiceText: ${problem}`);
  });

  it('leaves out unknown names of enums where it ignores what it does not know', () => {
    const lenient = new JsonCodec(kinds.registry, { unknownFields: 'ignore' });
    const json = '{"colours":["NO_SUCH","COLOUR_BLUE","NO_SUCH"],"colour":"NO_SUCH"}';
    const expected = fromJson(KindsSchema, { colours: ['COLOUR_BLUE'] });
    expect(lenient.decode(KindsSchema, json)).toEqual(expected);
    expect(fromBinary(KindsSchema, lenient.toWire(KindsSchema, json))).toEqual(expected);
  });

  it('names the type and the field that a message of proto2 lacks on its way to the wire', () => {
    const demanding = kinds.registry.getMessage('apix.testdata.Demanding')!;
    expect(() => codec.toWire(demanding, '{"text":"a","child":{}}')).toThrow(
      '$.child.text: the required field is not set',
    );
  });

  it.each([
    [{ doubleValue: NaN }, '"doubleValue" is NaN'],
    [{ doubleValue: Infinity }, '"doubleValue" is Infinity'],
    [{ int64Value: 1n }, 'BigInt'],
  ])('refuses a parsed document that is no JSON: %p', (value, problem) => {
    expect(() => codec.decodeValue(KindsSchema, value)).toThrow(problem);
  });
});

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing was thrown';
}
