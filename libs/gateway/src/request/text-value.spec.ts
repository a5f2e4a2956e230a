import { describe, expect, it } from '@jest/globals';
import {
  type DescField,
  type Message,
  create,
  createFileRegistry,
  toJson,
} from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
} from '@bufbuild/protobuf/wkt';
import { textParserOf } from './text-value.js';

const IMPORTS = [
  file_google_protobuf_timestamp,
  file_google_protobuf_duration,
  file_google_protobuf_struct,
];

/** A field for each kind of text. */
const FIELDS = [
  ['number', Type.INT32],
  ['ratio', Type.FLOAT],
  ['data', Type.BYTES],
  ['at', Type.MESSAGE, '.google.protobuf.Timestamp'],
  ['wait', Type.MESSAGE, '.google.protobuf.Duration'],
  ['labels', Type.MESSAGE, '.google.protobuf.Struct'],
  ['any', Type.MESSAGE, '.google.protobuf.Value'],
  ['list', Type.MESSAGE, '.google.protobuf.ListValue'],
  ['nothing', Type.ENUM, '.google.protobuf.NullValue'],
] as const;

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: 'texts.proto',
    package: 'texts',
    syntax: 'proto3',
    dependency: IMPORTS.map(({ proto }) => proto.name),
    messageType: [
      {
        name: 'Texts',
        field: FIELDS.map(([name, type, typeName], index) => ({
          name,
          number: index + 1,
          type,
          ...(typeName === undefined ? {} : { typeName }),
        })),
      },
    ],
  }),
  (name) => IMPORTS.find(({ proto }) => proto.name === name)?.proto,
);

function fieldNamed(name: string): DescField {
  return registry.getMessage('texts.Texts')!.fields.find((field) => field.name === name)!;
}

function parse(name: string, text: string): unknown {
  return textParserOf(fieldNamed(name))!(text);
}

describe('the text of a query parameter', () => {
  it.each([
    ['number', '0x10'],
    ['number', '1e2'],
    ['ratio', '0x10'],
    ['ratio', '3.5e38'],
    // Halfway between the largest float and what would come after it: rounds to Infinity.
    ['ratio', '3.4028235677973366e38'],
    ['data', 'A'],
    ['data', 'AA=='.repeat(2)],
    ['data', 'A A='],
    ['at', '2023-02-29T00:00:00Z'],
    ['at', '2024-04-31T00:00:00Z'],
    ['at', '2024-01-01T24:00:00Z'],
    ['wait', '1seconds'],
    ['labels', '{"a":1,"a":2}'],
    ['labels', '[]'],
    ['any', '1e400'],
    ['any', '{'],
    ['list', '{}'],
    ['list', '[1,]'],
    ['list', '[1e400]'],
  ])('is refused for %s: %s', (name, text) => {
    expect(() => parse(name, text)).toThrow(RangeError);
  });

  it.each([
    ['number', '2147483648', 'out of the range of int32'],
    ['number', '1.5', 'not of the type int32: use a decimal integer'],
    ['ratio', '1e39', 'out of the range of float'],
    ['ratio', 'x', 'not a float: use a decimal number'],
  ])('is refused with the type that it should have, %s: %s', (name, text, why) => {
    expect(() => parse(name, text)).toThrow(why);
  });

  it.each([
    ['ratio', '0.1', Math.fround(0.1)],
    ['ratio', '3.4028235e38', 3.4028234663852886e38],
    ['data', '-_8', new Uint8Array([251, 255])],
    ['labels', '{"a":[1,null]}', { a: [1, null] }],
  ])('is taken for %s: %s', (name, text, value) => {
    expect(parse(name, text)).toEqual(value);
  });

  it.each([
    ['any', '[1,[null]]', [1, [null]]],
    ['any', 'null', null],
    ['list', '[1,[null]]', [1, [null]]],
  ])('is taken for %s as its JSON: %s', (name, text, json) => {
    const field = fieldNamed(name);
    expect(toJson(field.message!, parse(name, text) as Message)).toEqual(json);
  });
});

describe('the text of an enum', () => {
  it('is null too where null is its one value in JSON', () => {
    expect(['null', 'NULL_VALUE', '0'].map((text) => parse('nothing', text))).toEqual([0, 0, 0]);
    expect(() => parse('nothing', 'nil')).toThrow('not a value of the enum');
  });

  const parserOf = (syntax: 'proto2' | 'proto3') => {
    const file = create(FileDescriptorProtoSchema, {
      name: 'moods.proto',
      package: 'moods',
      syntax,
      enumType: [
        {
          name: 'Mood',
          value: [
            { name: 'UNKNOWN', number: 0 },
            { name: 'GOOD', number: 7 },
          ],
        },
      ],
      messageType: [
        {
          name: 'Day',
          field: [{ name: 'mood', number: 1, type: Type.ENUM, typeName: '.moods.Mood' }],
        },
      ],
    });
    const day = createFileRegistry(file, () => undefined).getMessage('moods.Day')!;
    return textParserOf(day.fields[0]!)!;
  };

  it.each(['proto2', 'proto3'] as const)('of %s is a name or a number of it', (syntax) => {
    const parse = parserOf(syntax);
    expect([parse('GOOD'), parse('7'), parse('UNKNOWN')]).toEqual([7, 7, 0]);
    expect(() => parse('BAD')).toThrow('not a value of the enum moods.Mood');
  });

  it('is another number only where the enum is open', () => {
    expect(parserOf('proto3')('9')).toBe(9);
    expect(() => parserOf('proto2')('9')).toThrow('not a value of the enum moods.Mood');
  });
});
