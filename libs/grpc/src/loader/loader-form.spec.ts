import { fileURLToPath } from 'node:url';
import { probe } from '../../../grpc-client/src/client.fixture.js';
import {
  create,
  fromBinary,
  fromJson,
  type JsonObject,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { reflect } from '@bufbuild/protobuf/reflect';
import { checkedOptions } from '@apix/contracts/internal';
import { setupError } from '@apix/grpc-client/internal';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { describe, expect, it } from '@jest/globals';
import { loaderName } from './loader-names.js';
import { type LoaderForm, LOADER_OPTIONS, type LoaderOptions } from './loader-options.js';
import { messageFrom } from './message-from.js';
import { objectOf } from './object-of.js';

const kinds = probe.registry.getMessage('apix.testdata.Kinds')!;

function formOf(options: LoaderOptions): LoaderForm {
  return checkedOptions(LOADER_OPTIONS, options, setupError);
}

/** What proto-loader makes of the same type with the same options. */
function loaded(options: LoaderOptions): MethodDefinition<object, object> {
  const folder = fileURLToPath(new URL('../../../proto/testdata', import.meta.url));
  const loaded = loadSync('apix/testdata/kinds.proto', { ...options, includeDirs: [folder] });
  const service = loaded['apix.testdata.Probe'] as ServiceDefinition;
  return service['Unary'] as MethodDefinition<object, object>;
}

/** As proto-loader's, with the numbers of `long` as bigint, which the default is here. */
function withBigints(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  if ('unsigned' in value) return BigInt(value as unknown as string);
  if (Array.isArray(value)) return value.map(withBigints);
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, withBigints(of)]));
}

const FULL: JsonObject = {
  doubleValue: 1.5,
  int32Value: -3,
  int64Value: '-9007199254740991',
  uint64Value: '9007199254740990',
  boolValue: true,
  stringValue: 'tea',
  bytesValue: 'AP9/',
  colour: 'COLOUR_BLUE',
  child: { stringValue: 'inner', int64List: ['7'] },
  optionalInt64: '0',
  int64List: ['1', '-2'],
  stringList: ['a', ''],
  children: [{}, { boolValue: true }],
  colours: ['COLOUR_RED', 'COLOUR_BLUE'],
  textByText: { a: 'b' },
  kindsByText: { k: { stringValue: 'v' } },
  doubleByBool: { true: 0.5 },
  choiceNumber: '12',
  timestamp: '2026-11-29T10:00:00.5Z',
  duration: '3s',
  mask: 'a.b',
  struct: { a: [1, null, { b: 'c' }] },
  anyJson: 'x',
  any: { '@type': 'type.googleapis.com/google.protobuf.Duration', value: '3s' },
  wrappedInt64: '5',
  wrappedString: '',
  empty: {},
  'odd.name': 'odd',
  wrappedList: ['1', '0'],
};

const MESSAGES: readonly [string, JsonObject][] = [
  ['an empty message', {}],
  ['a message with every kind of field', FULL],
  ['a oneof of a message', { choiceKinds: { choiceText: '' } }],
  ['a value of an enum that is not known', { colour: 7, optionalString: 'x' }],
];

const FORMS: readonly [string, LoaderOptions][] = [
  ['no options', {}],
  ['keepCase', { keepCase: true }],
  ['longs, enums and bytes as text', { longs: String, enums: String, bytes: String }],
  ['longs as numbers, bytes as arrays', { longs: Number, bytes: Array }],
  ['defaults', { defaults: true }],
  ['arrays', { arrays: true }],
  ['objects and oneofs', { objects: true, oneofs: true }],
  [
    'what the documentation of gRPC uses',
    { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true },
  ],
];

describe.each(FORMS)('with %s', (_, options) => {
  const form = formOf(options);
  const theirs = loaded(options);

  it.each(MESSAGES)("%s is proto-loader's object", (_, json) => {
    const bytes = toBinary(kinds, fromJson(kinds, json, { registry: probe.registry }));
    const object = objectOf(reflect(kinds, fromBinary(kinds, bytes)), form);
    expect(object).toEqual(withBigints(theirs.requestDeserialize(Buffer.from(bytes))));
  });

  it.each(MESSAGES)('the object of %s becomes what proto-loader sends', (_, json) => {
    const message = fromJson(kinds, json, { registry: probe.registry });
    const object = theirs.requestDeserialize(Buffer.from(toBinary(kinds, message)));
    const sent = fromBinary(kinds, theirs.responseSerialize(object));
    expect(jsonOf(messageFrom(kinds, object, form))).toEqual(jsonOf(sent));
  });
});

function jsonOf(message: unknown): unknown {
  return toJson(kinds, message as ReturnType<typeof create>, { registry: probe.registry });
}

const plain = formOf({});

describe('an answer', () => {
  it.each<[string, object, JsonObject]>([
    ['bigint', { int64Value: 5n }, { int64Value: '5' }],
    ['number', { int64Value: 5, colour: 1 }, { int64Value: '5', colour: 'COLOUR_RED' }],
    ['name', { colour: 'COLOUR_RED' }, { colour: 'COLOUR_RED' }],
    ['key of 64 bits', { int64ByInt64: { '-3': '4' } }, { int64ByInt64: { '-3': '4' } }],
    ['null', { stringValue: null, child: null }, {}],
    ['member that is no field', { stringValue: 'a', total: 1 }, { stringValue: 'a' }],
    ['nothing but the name of a oneof', { choice: 'choiceText' }, {}],
  ])('may have a %s', (_, answer, json) => {
    expect(jsonOf(messageFrom(kinds, answer, plain))).toEqual(json);
  });

  it('may be a message', () => {
    const message = create(kinds);
    expect(messageFrom(kinds, message, plain)).toBe(message);
  });

  it.each<[string, unknown, string]>([
    ['is text', 'tea', 'apix.testdata.Kinds: expected an object, got a value of type string'],
    ['has other names', { string_value: 'a' }, 'the object has none of its fields (doubleValue, '],
    ['has text for a list', { children: 'a' }, 'Kinds.children: expected an array, got a value of'],
    ['has a number for a message', { child: 3 }, 'Kinds.child: expected an object, got a value of'],
    [
      'has an unknown name of an enum',
      { colour: 'GREEN' },
      'Kinds.colour: expected a number or a name of apix.testdata.Colour, got a value of type string',
    ],
    ['has an object for text', { stringValue: {} }, 'Kinds.stringValue: expected a single value'],
    ['has text for a number', { int64Value: 'secret' }, 'Kinds.int64Value: the value does not fit'],
    ['is wrong inside', { children: [{ bytesValue: 1 }] }, 'Kinds.children.bytesValue: expected'],
  ])('that %s is an error without its value', (_, answer, error) => {
    const read = (): unknown => messageFrom(kinds, answer, plain);
    expect(read).toThrow(error);
    expect(read).not.toThrow('secret');
  });
});

it.each([
  ['plate_number', 'plateNumber'],
  ['line_1', 'line_1'],
  ['a_b_c', 'a_bC'],
  ['_note', '_note'],
  ['x__y', 'x_Y'],
  ['ends_', 'ends_'],
  ['v_X', 'v_X'],
])('the field %s is called %s', (name, called) => {
  expect(loaderName(name, { keepCase: false })).toBe(called);
  expect(loaderName(name, { keepCase: true })).toBe(name);
});
