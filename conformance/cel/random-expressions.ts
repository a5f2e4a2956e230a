/** Numbers from 0 to below 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type RandomType =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'ints'
  | 'strings'
  | 'map'
  | 'message';

type Make = (of: (type: RandomType) => string) => string;

/**
 * What may be made of each type; the first ones end the recursion. Left out are what @bufbuild/cel 0.6 does otherwise
 * than the definition of the language: `timestamp(int)`, which it takes for milliseconds, numbers of texts with spaces or
 * in hexadecimal, dates before the year 100, parts of a timestamp
 * below a millisecond (which it rounds up) and in a named zone at midnight, quotients of uints above 2^63, and the order of texts beyond U+DFFF.
 */
const LEAVES: Readonly<Record<RandomType, readonly string[]>> = {
  bool: ['true', 'false', 'flag', 'msg.single_bool', 'msg.single_bool_wrapper'],
  int: [
    '0',
    '1',
    '-1',
    '7',
    '9223372036854775807',
    '-9223372036854775808',
    'count',
    'big',
    'msg.single_int32',
    'msg.single_int64',
    'msg.standalone_enum',
    'msg.single_int64_wrapper',
    'msg.single_nested_message.bb',
    'item.single_sint32',
    'item.single_sfixed64',
  ],
  uint: [
    '0u',
    '1u',
    '18446744073709551615u',
    'few',
    'msg.single_uint32',
    'msg.single_uint64',
    'item.single_fixed32',
  ],
  double: [
    '0.0',
    '-1.5',
    '1e300',
    '0.1',
    'ratio',
    'nan',
    'msg.single_double',
    'msg.single_float',
    'msg.single_double_wrapper',
  ],
  string: [
    "''",
    "'a'",
    "'ada'",
    "'zoë'",
    "'日本'",
    "'😀x'",
    'name',
    'msg.single_string',
    'msg.single_string_wrapper',
  ],
  bytes: ["b''", "b'a'", "b'\\xff'", 'raw', 'msg.single_bytes'],
  timestamp: [
    "timestamp('2024-02-29T12:30:45.123Z')",
    "timestamp('1601-01-01T00:00:00Z')",
    "timestamp('9999-12-31T23:59:59Z')",
    'at',
    'msg.single_timestamp',
  ],
  duration: [
    "duration('1h30m')",
    "duration('-1.5s')",
    "duration('0')",
    "duration('290000h')",
    'wait',
    'msg.single_duration',
  ],
  ints: ['[]', '[1, 2, 3]', 'numbers', 'msg.repeated_int64', 'msg.repeated_int32'],
  strings: ['[]', "['a', 'ada', '']", 'names', 'msg.repeated_string'],
  map: ["{'a': 1, 'ada': 2}", '{}', 'ages', 'msg.map_string_int64'],
  message: ['msg', 'item', 'TestAllTypes{single_int64: 5}'],
};

const ORDERED: readonly RandomType[] = [
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'timestamp',
  'duration',
];
const ANY = Object.keys(LEAVES) as readonly RandomType[];

/** Random expressions of a type. */
export class RandomExpressions {
  constructor(private readonly random: () => number) {}

  make(type: RandomType, depth: number): string {
    const rules = RULES[type];
    if (depth <= 0 || rules === undefined || this.random() < 0.15) return this.pick(LEAVES[type]);
    const choices = [...rules, conditional(type)];
    return this.pick(choices)(
      (inner) => this.make(inner, depth - 1),
      (list) => this.pick(list),
    );
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[Math.floor(this.random() * list.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }
}

type Rule = (of: Parameters<Make>[0], pick: <T>(list: readonly T[]) => T) => string;

function conditional(type: RandomType): Rule {
  return (of) => `(${of('bool')} ? ${of(type)} : ${of(type)})`;
}

function infix(type: RandomType, operators: readonly string[]): Rule {
  return (of, pick) => `(${of(type)} ${pick(operators)} ${of(type)})`;
}

const PARTS = [
  'getFullYear',
  'getMonth',
  'getDate',
  'getDayOfMonth',
  'getDayOfWeek',
  'getHours',
  'getMinutes',
  'getSeconds',
  'getMilliseconds',
];
const COMPARE = ['==', '!=', '<', '<=', '>', '>='];

const RULES: Partial<Readonly<Record<RandomType, readonly Rule[]>>> = {
  bool: [
    infix('bool', ['&&', '||']),
    infix('bool', ['&&', '||', '==', '!=']),
    (of) => `!${of('bool')}`,
    (of, pick) => {
      const type = pick(ORDERED);
      return `(${of(type)} ${pick(COMPARE)} ${of(type)})`;
    },
    (of, pick) => {
      const type = pick(ANY);
      return `(${of(type)} ${pick(['==', '!='])} ${of(type)})`;
    },
    (of, pick) => {
      const numbers: readonly RandomType[] = ['int', 'uint', 'double'];
      return `(${of(pick(numbers))} ${pick(['<', '<=', '>', '>='])} ${of(pick(numbers))})`;
    },
    (of, pick) => `(dyn(${of(pick(ANY))}) == ${of(pick(ANY))})`,
    (of) => `(${of('int')} in ${of('ints')})`,
    (of) => `(${of('string')} in ${of('strings')})`,
    (of) => `(${of('string')} in ${of('map')})`,
    (of, pick) =>
      `${of('string')}.${pick(['contains', 'startsWith', 'endsWith'])}(${of('string')})`,
    (of, pick) => `${of('string')}.matches(${pick(["'^a'", "'[ad]+$'", "'.'", "'(a|b)*'"])})`,
    (of, pick) =>
      `${of('ints')}.${pick(['all', 'exists', 'exists_one'])}(i, i ${pick(COMPARE)} ${of('int')})`,
    (of, pick) =>
      `${of('strings')}.${pick(['all', 'exists', 'exists_one'])}(s, s ${pick(COMPARE)} ${of('string')} || ${of('bool')})`,
    (of, pick) =>
      `${of('ints')}.${pick(['all', 'exists'])}(i, 10 / i ${pick(COMPARE)} ${of('int')})`,
    (of, pick) => `${of('map')}.${pick(['all', 'exists'])}(k, k == ${of('string')})`,
    (_, pick) =>
      `has(${pick(['msg.single_int32', 'msg.single_nested_message', 'msg.repeated_int64', 'msg.optional_string', 'item.single_timestamp', 'ages.ada', 'msg.single_int64_wrapper', 'msg.map_string_int64'])})`,
    (of) => `bool(string(${of('bool')}))`,
    (_, pick) =>
      `(${pick(['msg.single_int64_wrapper', 'item.single_string_wrapper', 'msg.single_value'])} == null)`,
    (of, pick) => `(type(${of(pick(ANY))}) == type(${of(pick(ANY))}))`,
  ],
  int: [
    infix('int', ['+', '-', '*', '/', '%']),
    (of) => `-(${of('int')})`,
    (of) => `size(${of('string')})`,
    (of, pick) => `${of(pick(['bytes', 'ints', 'strings', 'map', 'string']))}.size()`,
    (of) => `int(${of('uint')})`,
    (of) => `int(${of('double')})`,
    (of) => `int(string(${of('int')}))`,
    (of) => `int(${of('timestamp')})`,
    (of) => `${of('ints')}[${of('int')}]`,
    (of) => `${of('map')}[${of('string')}]`,
    (of) => `${of('map')}.ada`,
    (of, pick) => `${of('timestamp')}.${pick(PARTS)}()`,
    (of, pick) => `${of('timestamp')}.${pick(PARTS)}('${pick(['+02:30', '-08:00', '00:00'])}')`,
    (of, pick) => `${of('duration')}.${pick(['getHours', 'getMinutes', 'getSeconds'])}()`,
  ],
  uint: [
    infix('uint', ['+', '-', '*', '%']),
    (of) => `(few / ${of('uint')})`,
    (of) => `uint(${of('int')})`,
    (of) => `uint(${of('double')})`,
  ],
  double: [
    infix('double', ['+', '-', '*', '/']),
    (of) => `double(${of('int')})`,
    (of) => `double(${of('uint')})`,
    (of) => `-(${of('double')})`,
  ],
  string: [
    infix('string', ['+']),
    (of, pick) =>
      `string(${of(pick(['int', 'uint', 'bool', 'bytes', 'timestamp', 'duration', 'double', 'string']))})`,
    (of) => `${of('strings')}[${of('int')}]`,
  ],
  bytes: [infix('bytes', ['+']), (of) => `bytes(${of('string')})`],
  timestamp: [
    (of) => `(${of('timestamp')} + ${of('duration')})`,
    (of) => `(${of('timestamp')} - ${of('duration')})`,
  ],
  duration: [infix('duration', ['+', '-']), infix('timestamp', ['-'])],
  ints: [
    infix('ints', ['+']),
    (of) => `${of('ints')}.map(i, i + ${of('int')})`,
    (of) => `${of('ints')}.filter(i, i > ${of('int')})`,
    (of) => `[${of('int')}, ${of('int')}]`,
    (of) => `${of('strings')}.map(s, size(s))`,
  ],
  strings: [
    infix('strings', ['+']),
    (of) => `${of('strings')}.filter(s, s != ${of('string')})`,
    (of) => `${of('map')}.map(k, k + ${of('string')})`,
  ],
  map: [(of) => `{${of('string')}: ${of('int')}, 'ada': ${of('int')}}`],
  message: [
    (of) =>
      `TestAllTypes{single_int64: ${of('int')}, single_string: ${of('string')}, repeated_int64: ${of('ints')}}`,
    (of) => `TestAllTypes{single_int32: ${of('int')}, single_timestamp: ${of('timestamp')}}`,
  ],
};
