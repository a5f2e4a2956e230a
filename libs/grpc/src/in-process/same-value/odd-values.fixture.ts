import { type Message, create } from '@bufbuild/protobuf';
import { probe } from '../../../../grpc-client/src/client.fixture.js';
import { Kinds, type OddValue, bent, kinds } from './kinds.fixture.js';
import { ODD_MEMBERS } from './odd-members.fixture.js';

const Mark = probe.registry.getMessage('apix.testdata.Mark')!;

const child = (members: Parameters<typeof bent>[0]): Message => bent({ child: bent(members) });

class Order {
  constructor(
    readonly stringValue = 'of a class',
    readonly unknownMember = 1,
  ) {}
}
class WithGetter {
  get stringValue(): string {
    return 'of a getter';
  }
}
const throwing = (): never => {
  throw new Error('a getter of the message threw');
};
const cyclic = (): Message => {
  const message = bent({ stringValue: 'cyclic' });
  return Object.assign(message, { child: message });
};
const deep = (levels: number): Message => {
  let message = kinds({ stringValue: 'the last' });
  for (let level = 1; level < levels; level += 1) message = bent({ child: message });
  return message;
};
const deepStruct = (levels: number): Message => {
  let value: unknown = 'the last';
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return bent({ struct: value });
};

/** Whole messages, and what looks like them. */
const WHOLE: readonly OddValue[] = [
  ['an empty message', () => kinds()],
  ['an empty object', () => ({})],
  ['undefined', () => undefined],
  ['null', () => null],
  [
    'a plain object',
    () => ({ stringValue: 'plain', children: [{ int32Value: 1 }], kindsByText: { a: {} } }),
  ],
  [
    'a plain object with members that the message does not have',
    () => ({ stringValue: 'a', more: 1 }),
  ],
  ['a plain object of another shape', () => ({ orders: [], total: 5 })],
  ['an object of a class', () => new Order()],
  ['an object of a class with getters', () => new WithGetter()],
  [
    'an object without a prototype',
    () => Object.assign(Object.create(null) as object, { stringValue: 'bare' }),
  ],
  [
    'a message without a prototype',
    () => Object.assign(Object.create(null) as object, bent({ stringValue: 'bare' })),
  ],
  ['a message of a class', () => Object.assign(new Order(), kinds({ stringValue: 'a' }))],
  [
    'a frozen message',
    () =>
      Object.freeze(
        bent({ stringValue: 'frozen', children: Object.freeze([Object.freeze(kinds())]) }),
      ),
  ],
  ['a sealed plain object', () => Object.seal({ stringValue: 'sealed' })],
  ['a proxy of a message', () => new Proxy(kinds({ stringValue: 'a' }), {})],
  ['a proxy of a plain object', () => new Proxy({ stringValue: 'a' }, {})],
  ['a proxy that throws', () => new Proxy(kinds(), { get: throwing })],
  [
    'a proxy that lies',
    () => {
      let n = 0;
      return new Proxy(kinds(), {
        get: (target, key) =>
          key === 'int32Value' ? ((n += 1) > 1 ? 1.5 : 1) : Reflect.get(target, key),
      });
    },
  ],
  [
    'a message with a getter',
    () => Object.defineProperty(kinds(), 'stringValue', { get: () => 'got', enumerable: true }),
  ],
  [
    'a message with a getter that throws',
    () => Object.defineProperty(kinds(), 'stringValue', { get: throwing, enumerable: true }),
  ],
  [
    'a plain object with a getter that throws',
    () => Object.defineProperty({}, 'stringValue', { get: throwing, enumerable: true }),
  ],
  [
    'a message with a hidden member',
    () => Object.defineProperty(kinds(), 'stringValue', { value: 'hidden', enumerable: false }),
  ],
  ['a message with members of its own', () => bent({ more: 1, stringValue: 'a' })],
  ['a message with symbols', () => bent({ [Symbol('mine')]: 1, stringValue: 'a' })],
  [
    'a message without some members',
    () => {
      const { stringValue: _, ...rest } = bent({}) as unknown as Record<string, unknown>;
      return rest;
    },
  ],
  ['a message without any member', () => ({ $typeName: Kinds.typeName })],
  ['a message in another order', () => ({ stringValue: 'a', ...kinds() })],
  [
    'a message whose type is a getter',
    () =>
      Object.defineProperty({ ...kinds() }, '$typeName', {
        get: () => Kinds.typeName,
        enumerable: true,
      }),
  ],
  ['a cyclic message', cyclic],
  [
    'a cyclic plain object',
    () => {
      const object: Record<string, unknown> = {};
      object['child'] = object;
      return object;
    },
  ],
  ['a message of 99 levels', () => deep(99)],
  ['a message of 100 levels', () => deep(100)],
  ['a message of 101 levels', () => deep(101)],
  ['a message of 200 levels', () => deep(200)],
  ['a struct of 20 levels', () => deepStruct(20)],
  ['a struct of 33 levels', () => deepStruct(33)],
  ['a struct of 34 levels', () => deepStruct(34)],
  ['a struct of 50 levels', () => deepStruct(50)],
  ['a struct of 200 levels', () => deepStruct(200)],
  [
    'unknown fields',
    () => bent({ $unknown: [{ no: 900, wireType: 2, data: new Uint8Array([2, 1, 2]) }] }),
  ],
  [
    'unknown fields of a known number',
    () => bent({ $unknown: [{ no: 3, wireType: 0, data: new Uint8Array([5]) }] }),
  ],
  [
    'unknown fields that cannot be read',
    () => bent({ $unknown: [{ no: 900, wireType: 2, data: new Uint8Array([9, 1]) }] }),
  ],
  [
    'unknown fields of a child',
    () => child({ $unknown: [{ no: 901, wireType: 0, data: new Uint8Array([1]) }] }),
  ],
  ['no unknown fields', () => bent({ $unknown: [] })],
  ['unknown fields that are undefined', () => bent({ $unknown: undefined })],
  ['a message of another type', () => create(Mark, { text: 'a' })],
  [
    'a message of another type that has no members',
    () => create(probe.registry.getMessage('google.protobuf.Empty')!),
  ],
  ['an object that names another type', () => ({ $typeName: 'other.Type', stringValue: 'a' })],
  ['an object that names no type', () => ({ $typeName: 5, stringValue: 'a' })],
  [
    'a message with everything',
    () =>
      kinds({
        doubleValue: 1.5,
        floatValue: 1.1,
        int32Value: -1,
        int64Value: -1n,
        uint32Value: 1,
        uint64Value: 1n,
        boolValue: true,
        stringValue: 'ä€😀',
        bytesValue: new Uint8Array([1]),
        colour: 1,
        child: { stringValue: 'inner' },
        optionalInt64: 0n,
        optionalString: '',
        int64List: [1n],
        stringList: ['a'],
        children: [{}, { int32Value: 2 }],
        colours: [1, -5, 42],
        textByText: { b: '1', a: '2', 7: '3' },
        int64ByInt64: { '-1': 1n },
        kindsByText: { a: { boolValue: true } },
        doubleByBool: { true: 1.5 },
        choice: { case: 'choiceKinds', value: { stringValue: 'chosen' } },
        timestamp: { seconds: 1n, nanos: 2 },
        duration: { seconds: -1n },
        mask: { paths: ['a.b'] },
        struct: { a: [1, 'b', { c: null }] },
        anyJson: { kind: { case: 'stringValue', value: 'a' } },
        any: { typeUrl: 'a/b', value: new Uint8Array([1]) },
        wrappedInt64: 5n,
        wrappedString: 'w',
        empty: {},
        oddName: 'o',
        wrappedList: [{ value: 1n }],
      }),
  ],
];

/** What is not a message at all; functions and classes, iterables, streams and other objects. */
export const NO_MESSAGES: readonly OddValue[] = [
  ['zero', () => 0],
  ['a number', () => 5],
  ['a bigint', () => 5n],
  ['a text', () => 'a text'],
  ['an empty text', () => ''],
  ['false', () => false],
  ['true', () => true],
  ['a symbol', () => Symbol('s')],
  ['a function', () => () => kinds()],
  ['a class', () => Order],
  ['an empty array', () => []],
  ['an array of messages', () => [kinds()]],
  ['a Date', () => new Date(0)],
  ['a Map', () => new Map([['stringValue', 'a']])],
  ['a Set', () => new Set([kinds()])],
  ['a WeakMap', () => new WeakMap()],
  ['a RegExp', () => /a/],
  ['a Buffer', () => Buffer.from('ab')],
  ['an ArrayBuffer', () => new ArrayBuffer(2)],
  ['a boxed text', () => new String('boxed')],
  ['an Error', () => new Error('an error that is returned')],
  [
    'a generator',
    () =>
      (function* generator() {
        yield kinds();
      })(),
  ],
  ['an iterator', () => [kinds()].values()],
  [
    'an object that can be iterated',
    () => ({ stringValue: 'a', [Symbol.iterator]: () => [].values() }),
  ],
  [
    'an object that can be iterated later',
    () => ({
      stringValue: 'a',
      async *[Symbol.asyncIterator]() {
        await Promise.resolve();
        yield kinds();
      },
    }),
  ],
];

/** What a handler may return and an Observable should not emit. */
export const NO_RESULTS: readonly OddValue[] = [
  [
    'an async generator',
    () =>
      (async function* generator() {
        await Promise.resolve();
        yield kinds();
      })(),
  ],
  [
    'an async iterator',
    () => {
      const it = (async function* generator() {
        await Promise.resolve();
        yield kinds();
      })();
      return { next: () => it.next(), [Symbol.asyncIterator]: () => it };
    },
  ],
];

export const VALUES: readonly OddValue[] = [
  ...WHOLE,
  ...ODD_MEMBERS,
  ['a child with an odd value', () => child({ int32Value: 1.5 })],
  [
    'a child in a list with an odd value',
    () => bent({ children: [kinds(), bent({ uint64Value: -1n })] }),
  ],
  [
    'a child in a map with an odd value',
    () => bent({ kindsByText: { 'a "b"': bent({ stringValue: 5 }) } }),
  ],
];
