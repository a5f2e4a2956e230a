import fc from 'fast-check';
import type { Censor, RedactOptions } from '../redact/redact-options.js';

const throws = (): never => {
  throw new Error('thrown while it was read');
};

function cyclic(): object {
  const cycle: Record<string, unknown> = { list: [] };
  cycle['self'] = cycle;
  (cycle['list'] as unknown[]).push(cycle);
  return cycle;
}

function deep(depth: number): object {
  let value: object = {};
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? { value } : [value];
  return value;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function causesInCircles(): Error {
  const first = new Error('first');
  first.cause = new Error('second', { cause: first });
  return first;
}

/** Values that have broken loggers, by what they are. */
export const HOSTILE: Readonly<Record<string, () => unknown>> = {
  'a cycle': cyclic,
  'a depth of 10,000': () => deep(10_000),
  'a getter that throws': () => ({
    get a() {
      return throws();
    },
    b: 1,
  }),
  'a getter that returns itself': () => ({
    get a() {
      return this;
    },
  }),
  'a toString that throws': () => ({ toString: throws }),
  'a toJSON that throws': () => ({ toJSON: throws }),
  'a toJSON that never ends': () => {
    const next = (): object => ({ toJSON: next });
    return next();
  },
  'a toJSON of undefined': () => ({ toJSON: () => undefined }),
  'an object without prototype': () => Object.create(null),
  'an own __proto__': () => JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown,
  'a bigint': () => 2n ** 80n,
  'a symbol': () => Symbol('sym'),
  'a function': () => function named() {},
  'a function with a hostile name': () =>
    Object.defineProperty(() => {}, 'name', { value: Symbol() }),
  'a class': () => class Named {},
  'a lone surrogate': () => 'a\ud800b\udc00',
  'control characters': () => '\u0000\u0007\b\t\n\v\f\r\u001b\u007f\u0085\u2028\u2029',
  'quotes and backslashes': () => '"\\"\\\\"',
  'no number': () => [NaN, Infinity, -Infinity, -0],
  'an invalid date': () => new Date(NaN),
  'a date': () => new Date(0),
  'a map': () =>
    new Map<unknown, unknown>([
      ['a', 1],
      [{ b: 1 }, 2],
      ['__proto__', 3],
      [Symbol('s'), 4],
    ]),
  'a map in itself': () => {
    const map = new Map<string, unknown>();
    return map.set('self', map);
  },
  'a map whose keys become one': () =>
    new Map<unknown, unknown>([
      [1, 'a'],
      ['1', 'b'],
      [1n, 'c'],
    ]),
  'a set': () => new Set([1, 'a', new Set([2])]),
  'a buffer': () => Buffer.from([0, 255]),
  'typed arrays': () => [
    new Float64Array([NaN, 1]),
    new BigInt64Array([1n]),
    new DataView(new ArrayBuffer(2)),
  ],
  'an array with holes': () => Array.from({ length: 5 }, (_, i) => i).concat(Array(3) as number[]),
  'a long sparse array': () => Array(1_000_000_000),
  'a pattern': () => /x/g,
  'a promise': () => Promise.resolve(1),
  'a weak map': () => new WeakMap(),
  'boxed values': () => [Object(1), Object('a'), Object(true), Object(1n), Object(Symbol('s'))],
  'an error with a cause': () => new Error('outer', { cause: new Error('inner') }),
  'causes in circles': causesInCircles,
  'many errors': () => new AggregateError([new Error('a'), 'b', null], 'both'),
  'an error of hostile members': () => {
    const error = new Error('x');
    // The stack first: V8 reads the name and the message when it is defined.
    for (const name of ['stack', 'message', 'name', 'cause', 'errors']) {
      Object.defineProperty(error, name, { get: () => throws() });
    }
    return error;
  },
  'an error whose message is no text': () =>
    Object.assign(new Error('x'), { message: { a: 1 }, stack: 7 }),
  'a proxy that throws': () =>
    new Proxy({}, { get: throws, has: throws, ownKeys: throws, getPrototypeOf: throws }),
  'a revoked proxy': revoked,
  'a proxy of a date': () => new Proxy(new Date(0), {}),
  'an iterator that never ends': () => ({
    *[Symbol.iterator]() {
      for (;;) yield 1;
    },
  }),
  'a set that never ends': () =>
    Object.assign(new Set(), {
      *[Symbol.iterator]() {
        for (;;) yield 1;
      },
    }),
  'an array with a hostile map': () =>
    Object.assign([1], { map: throws, [Symbol.iterator]: throws }),
};

/** A value that is made when it is asked for, as some cannot even be looked at by fast-check. */
export type Thunk = () => unknown;

/** Any value: made by fast-check, or one of the hostile ones, alone or inside others. */
export function anyValue(): fc.Arbitrary<Thunk> {
  const hostile = fc.constantFrom(...Object.values(HOSTILE));
  const made = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withObjectString: true,
    withTypedArray: true,
    withSparseArray: true,
    withBoxedValues: true,
    stringUnit: 'binary',
  });
  const text = fc.string({ unit: 'binary', maxLength: 80 });
  return fc.oneof(
    fc.oneof(made, text).map((value) => () => value),
    hostile,
    fc.array(hostile, { maxLength: 3 }).map((items) => () => items.map((make) => make())),
    fc.dictionary(anyName(), hostile, { maxKeys: 3 }).map((members) => () => valuesOf(members)),
  );
}

/** What the thunks make, under their names. */
export function valuesOf(thunks: Readonly<Record<string, Thunk>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(thunks).map(([name, make]) => [name, make()]));
}

const OWN_NAMES = [
  'level',
  'time',
  '@mt',
  'message',
  'error',
  'stack',
  'caller',
  'extra_0',
  'extra_1',
  '@timestamp',
  'log',
  'log.level',
  'ecs.version',
  'error.message',
  'log.origin.file.line',
  'message_template.text',
  'service',
  'service.name',
  'logger',
  'log.logger',
  'trace_id',
  'span_id',
  'traceId',
  'log.template',
  'exception.message',
  'code.filepath',
  '__proto__',
  'constructor',
  'toString',
  'toJSON',
  'then',
  '0',
  '1',
  '',
  'A',
  'B',
];

/** Any name of a field, and often one that a format or the language has itself. */
export function anyName(): fc.Arbitrary<string> {
  const own = fc.constantFrom(...OWN_NAMES);
  return fc.oneof(
    { arbitrary: own, weight: 4 },
    fc.tuple(own, fc.constantFrom('_', '__')).map(([name, end]) => name + end),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
}

/** Any template, often with holes of such names. */
export function anyTemplate(): fc.Arbitrary<string> {
  const hole = fc
    .tuple(
      fc.constantFrom('', '@', '$'),
      anyName(),
      fc.constantFrom('', ',5', ',-5'),
      fc.constantFrom('', ':.2f', ':x', ':000', ':N2', ':s'),
    )
    .map((parts) => `{${parts.join('')}}`);
  const part = fc.oneof(
    hole,
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom('{{', '}}', '{'),
  );
  return fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
}

/** Any redaction whose paths can be read, of fields of such names and of their members. */
export function anyRedaction(): fc.Arbitrary<RedactOptions> {
  const name = fc.constantFrom(...OWN_NAMES.filter((own) => own !== ''));
  const step = fc.oneof(
    name.map((text) => `["${text}"]`),
    fc.constant('[*]'),
  );
  const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join(''));
  const censor = anyValue().map((make) => make as Censor);
  return fc.record(
    { paths: fc.array(path, { maxLength: 3 }), censor, remove: fc.boolean() },
    { requiredKeys: ['paths'] },
  );
}
