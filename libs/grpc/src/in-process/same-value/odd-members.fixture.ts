import { shownValue } from '@apix/contracts';
import { create } from '@bufbuild/protobuf';
import { probe } from '../../../../grpc-client/src/client.fixture.js';
import { type OddValue, bent, kinds } from './kinds.fixture.js';

const Mark = probe.registry.getMessage('apix.testdata.Mark')!;
const Timestamp = probe.registry.getMessage('google.protobuf.Timestamp')!;
const AnyType = probe.registry.getMessage('google.protobuf.Any')!;
const Value = probe.registry.getMessage('google.protobuf.Value')!;
const Int64Wrapper = probe.registry.getMessage('google.protobuf.UInt64Value')!;
const LONE = 'a\ud800b';

/** One value in one member of a message, a list of it, and in a plain object. */
const MEMBERS: readonly (readonly [member: string, values: readonly unknown[]])[] = [
  [
    'int32Value',
    [
      2 ** 40,
      2 ** 31,
      -(2 ** 31),
      1.5,
      NaN,
      Infinity,
      -0,
      '5',
      'five',
      5n,
      true,
      null,
      undefined,
      {},
      [],
    ],
  ],
  ['uint32Value', [-1, 2 ** 32, 2 ** 32 - 1, 0.5, '7', 7n, '0x10']],
  ['sint32Value', [2 ** 31, -0]],
  ['fixed32Value', [-1, 2 ** 32]],
  ['sfixed32Value', [2 ** 31, -1.5]],
  [
    'int64Value',
    [2n ** 63n, -(2n ** 63n), 5, 1.5, NaN, 2 ** 60, '9', '-0', 'nine', null, undefined],
  ],
  ['uint64Value', [-1n, 2n ** 64n, 2n ** 64n - 1n, -1, 5, '5', '']],
  ['sint64Value', [2n ** 63n, 8]],
  ['fixed64Value', [-1n, 3]],
  ['sfixed64Value', [2n ** 63n]],
  ['doubleValue', [NaN, -0, Infinity, '1.5', 5n, null, undefined, {}]],
  ['floatValue', [1.1, 1e300, -1e300, 1e-60, -0, NaN, -Infinity, '1.5', 'NaN', 5n, undefined]],
  ['boolValue', [1, 0, 'false', '', null, undefined, {}]],
  [
    'stringValue',
    [
      LONE,
      '\udc00',
      5,
      5n,
      true,
      null,
      undefined,
      {},
      ['a'],
      new String('boxed'),
      Symbol('s'),
      '\0',
    ],
  ],
  [
    'bytesValue',
    [
      [1, 2],
      'AAEC',
      new Uint8Array([1, 2]),
      Buffer.from('ab'),
      new Uint16Array([1, 300]),
      new ArrayBuffer(2),
      new DataView(new ArrayBuffer(2)),
      null,
      undefined,
      5,
    ],
  ],
  ['colour', [1, 1.5, NaN, 99, -5, 2 ** 31, 'COLOUR_RED', null, undefined]],
  ['optionalInt64', [0n, 5, undefined, null]],
  ['optionalString', ['', LONE, undefined, null, 5]],
  [
    'child',
    [
      undefined,
      null,
      {},
      { int32Value: 1.5 },
      { stringValue: 'plain' },
      5,
      'text',
      [],
      new Date(0),
      () => {},
      create(Mark, { text: 'other' }),
      Promise.resolve(kinds()),
    ],
  ],
  [
    'int64List',
    [
      [1n, undefined],
      [1n, 2],
      [null],
      ['3'],
      [2n ** 63n],
      undefined,
      null,
      'text',
      {},
      new Set([1n]),
      Array(2),
      5n,
    ],
  ],
  ['stringList', [['a', undefined], [LONE], [5], ['', ''], [null], 'text', new Set(['a'])]],
  [
    'children',
    [
      [kinds(), undefined],
      [{}],
      [null],
      [Promise.resolve(kinds())],
      [create(Mark)],
      [[]],
      kinds(),
      { length: 1, 0: kinds() },
    ],
  ],
  ['colours', [[1.5], [99], ['COLOUR_RED'], [undefined]]],
  ['wrappedList', [[create(Int64Wrapper)], [5n], [create(Int64Wrapper, { value: 5n }), undefined]]],
  [
    'textByText',
    [
      { a: undefined },
      { [LONE]: 'a' },
      { a: LONE },
      { a: 5 },
      { a: null },
      new Map([['a', 'b']]),
      ['a', 'b'],
      JSON.parse('{"__proto__": "x"}'),
      { constructor: 'c' },
      Object.create(null),
      undefined,
      null,
      'text',
    ],
  ],
  [
    'int64ByInt64',
    [
      { x: 1n },
      { '01': 1n },
      { '-0': 1n },
      { '1.5': 1n },
      { 1: 5 },
      { [`${2n ** 63n}`]: 1n },
      { '': 1n },
      { 5: undefined },
    ],
  ],
  [
    'kindsByText',
    [
      { a: undefined },
      { a: {} },
      { a: null },
      { a: create(Mark) },
      JSON.parse('{"__proto__": {}}'),
      { a: kinds({ stringValue: 'a' }) },
    ],
  ],
  ['doubleByBool', [{ true: 1 }, { yes: 1 }, { 1: 1 }, { false: '1' }, { TRUE: 1 }]],
  [
    'choice',
    [
      undefined,
      null,
      {},
      { case: 'choiceText' },
      { case: 'choiceText', value: undefined },
      { case: 'choiceText', value: 5 },
      { case: 'choiceText', value: LONE },
      { case: 'nothing', value: 5 },
      { case: undefined, value: 5 },
      { case: null },
      { case: 'choiceNumber', value: 0n },
      { case: 'choiceNumber', value: -1n },
      { case: 'choiceNumber', value: 7 },
      { case: 'choiceKinds', value: {} },
      { case: 'choiceKinds', value: kinds({ int32Value: 1 }) },
      { case: 'choiceKinds', value: create(Mark) },
      { case: 'choiceText', value: 'a', more: 1 },
      'choiceText',
      5,
    ],
  ],
  [
    'timestamp',
    [
      new Date(0),
      '2026-01-01T00:00:00Z',
      {},
      { seconds: 5, nanos: 0 },
      create(Timestamp, { seconds: 2n ** 62n, nanos: -5 }),
      5,
    ],
  ],
  [
    'struct',
    [
      { a: 1 },
      { a: undefined },
      { a: LONE },
      { a: { b: [1, null, 'x', true] } },
      { a: NaN },
      { a: 5n },
      { a: () => {} },
      { a: new Date(0) },
      JSON.parse('{"__proto__": 1}'),
      [],
      'text',
      null,
    ],
  ],
  [
    'anyJson',
    [
      create(Value),
      create(Value, { kind: { case: 'nullValue', value: 0 } }),
      { kind: { case: 'numberValue', value: 1 } },
      { a: 1 },
      5,
      null,
    ],
  ],
  [
    'any',
    [
      create(AnyType, {
        typeUrl: 'type.googleapis.com/apix.testdata.Mark',
        value: new Uint8Array([10, 1, 97]),
      }),
      create(AnyType, { typeUrl: 'nonsense', value: new Uint8Array([255]) }),
      create(Mark),
      {},
    ],
  ],
  ['wrappedInt64', [5n, 0n, 5, 2n ** 63n, undefined, null, {}, create(Int64Wrapper)]],
  ['wrappedString', ['', LONE, 5, null, { value: 'a' }]],
  ['empty', [{}, { a: 1 }, 5, create(Mark)]],
];

const inMember = (member: string, value: unknown): OddValue[] => [
  [`${member} of ${name(value)}`, () => bent({ [member]: value })],
  [`${member} of ${name(value)} in a plain object`, () => ({ [member]: value })],
];

function name(value: unknown): string {
  if (
    typeof value === 'object' &&
    value !== null &&
    Object.getPrototypeOf(value) !== Object.prototype &&
    !Array.isArray(value)
  ) {
    return (
      Object.prototype.toString.call(value).slice(8, -1).toLowerCase() +
      (ArrayBuffer.isView(value) ? ` ${value.constructor.name}` : '') +
      ('$typeName' in value ? ` ${String(value.$typeName)}` : '')
    );
  }
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'object')
    return JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint'
        ? `${inner}n`
        : inner === undefined
          ? 'undefined'
          : typeof inner === 'function'
            ? 'function'
            : inner,
    ).replace(/\ud800/g, 'LONE');
  return shownValue(value);
}

/** Messages and plain objects with one odd member. */
export const ODD_MEMBERS: readonly OddValue[] = MEMBERS.flatMap(([member, values]) =>
  values.flatMap((value) => inMember(member, value)),
);
