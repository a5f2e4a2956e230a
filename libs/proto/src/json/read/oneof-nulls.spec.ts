import { create, createFileRegistry, toBinary, toJsonString } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Type as Type,
  FileDescriptorProtoSchema,
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from '@jest/globals';
import { JsonCodec } from '../json-codec.js';

const IMPORTS = [
  file_google_protobuf_struct,
  file_google_protobuf_timestamp,
  file_google_protobuf_wrappers,
];

/** A oneof with a member of each kind. */
const MEMBERS = [
  ['text', Type.STRING],
  ['inside', Type.MESSAGE, '.nulls.Choice'],
  ['colour', Type.ENUM, '.nulls.Colour'],
  ['wrapped', Type.MESSAGE, '.google.protobuf.Int32Value'],
  ['time', Type.MESSAGE, '.google.protobuf.Timestamp'],
  ['struct', Type.MESSAGE, '.google.protobuf.Struct'],
  ['list', Type.MESSAGE, '.google.protobuf.ListValue'],
  ['value', Type.MESSAGE, '.google.protobuf.Value'],
  ['nothing', Type.ENUM, '.google.protobuf.NullValue'],
] as const;

const registry = createFileRegistry(
  create(FileDescriptorProtoSchema, {
    name: 'nulls.proto',
    package: 'nulls',
    syntax: 'proto3',
    dependency: IMPORTS.map(({ proto }) => proto.name),
    enumType: [{ name: 'Colour', value: [{ name: 'RED', number: 0 }] }],
    messageType: [
      {
        name: 'Choice',
        oneofDecl: [{ name: 'pick' }],
        field: MEMBERS.map(([name, type, typeName = ''], index) => ({
          name,
          number: index + 1,
          type,
          typeName,
          oneofIndex: 0,
        })),
      },
    ],
  }),
  (name) => IMPORTS.find(({ proto }) => proto.name === name)?.proto,
);
const desc = registry.getMessage('nulls.Choice')!;
const codec = new JsonCodec(registry);

/** Each way to read a document, and the bytes that it gives. */
const WAYS = {
  text: (json: string) => toBinary(desc, codec.decode(desc, json)),
  'a parsed document': (json: string) => toBinary(desc, codec.decodeValue(desc, JSON.parse(json))),
  'bytes for the wire': (json: string) => new Uint8Array(codec.toWire(desc, json)),
};

describe.each(Object.entries(WAYS))('null for a member of a oneof, in %s', (_, read) => {
  const absent = MEMBERS.map(([name]) => name).filter(
    (name) => name !== 'value' && name !== 'nothing',
  );

  it.each(absent)('is as if %s were not there', (name) => {
    const other = name === 'text' ? 'wrapped' : 'text';
    const set = other === 'text' ? '"text":"a"' : '"wrapped":1';
    expect(read(`{"${name}":null,${set}}`)).toEqual(read(`{${set}}`));
    expect(read(`{${set},"${name}":null}`)).toEqual(read(`{${set}}`));
    expect(read(`{"inside":{"${name}":null,${set}}}`)).toEqual(read(`{"inside":{${set}}}`));
  });

  it.each(['value', 'nothing'])('is the value of %s, which has it as one', (name) => {
    expect(read(`{"${name}":null}`).length).toBeGreaterThan(0);
    expect(() => read(`{"${name}":null,"text":"a"}`)).toThrow('already sets the oneof pick');
    expect(() => read(`{"text":"a","${name}":null}`)).toThrow('already sets the oneof pick');
  });

  it('sets nothing where all are null', () => {
    expect(read('{"inside":null,"colour":null,"wrapped":null}')).toHaveLength(0);
  });
});

it('A oneof whose members are all null is written without one of them', () => {
  const message = codec.decode(desc, '{"inside":null,"colour":null,"wrapped":null,"list":null}');
  expect(toJsonString(desc, message)).toBe('{}');
});
