import {
  TestAllTypesSchema,
  type TestAllTypes,
} from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { PGlite } from '@electric-sql/pglite';
import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import {
  CEL,
  celList,
  celMap,
  celMessage,
  type CelType,
} from '../../libs/authz/src/cel/cel-type.js';
import type { CelScope, CelValues } from '../../libs/authz/src/cel/cel-scope.js';
import { types } from './spec-values.js';

const TEXTS = ['', 'a', 'ada', 'Ada', 'zoë', '日本', '😀x', '\uFFFDx', "o'hara", '%_\\'];
const INTS = [
  0n,
  1n,
  -1n,
  7n,
  9_007_199_254_740_993n,
  9_223_372_036_854_775_807n,
  -9_223_372_036_854_775_808n,
];
const SMALL = [0, 1, -1, 7, 2_147_483_647];
const DOUBLES = [0, 1, 7, -1.5, Number.NaN, Number.POSITIVE_INFINITY, 9_007_199_254_740_992];
const TIMES = [
  [0n, 0],
  [1_795_872_000n, 0],
  [1_795_872_000n, 123_456_000],
  [-62_135_596_800n, 0],
  [253_402_300_799n, 999_999_000],
] as const;

export interface FilterColumn {
  /** Of the expression. */
  readonly path: string;
  readonly sql: string;
  /** Values of the column; null is NULL, and not set in the message. */
  readonly values: readonly unknown[];
  /** The value as a property of the message. */
  set(message: TestAllTypes, value: unknown): void;
  readonly kind: 'text' | 'int' | 'uint' | 'double' | 'bool' | 'bytes' | 'time' | 'texts' | 'ints';
}

function column(
  path: string,
  sql: string,
  kind: FilterColumn['kind'],
  values: readonly unknown[],
): FilterColumn {
  const name = path.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    path,
    sql,
    kind,
    values,
    set: (message, value) => {
      (message as unknown as Record<string, unknown>)[name] = value;
    },
  };
}

const times = TIMES.map(([seconds, nanos]) => create(TimestampSchema, { seconds, nanos }));
export const COLUMNS: readonly FilterColumn[] = [
  column('single_string', 'text', 'text', TEXTS),
  column('single_int64', 'bigint', 'int', INTS),
  column('single_int32', 'integer', 'int', SMALL),
  column('standalone_enum', 'integer', 'int', [0, 1, 2, 99]),
  column('single_uint64', 'numeric', 'uint', [0n, 1n, 7n, 18_446_744_073_709_551_615n]),
  column('single_double', 'float8', 'double', DOUBLES),
  column('single_bool', 'boolean', 'bool', [true, false]),
  column('single_bytes', 'bytea', 'bytes', [
    new Uint8Array(),
    new Uint8Array([0, 255]),
    new Uint8Array([97]),
  ]),
  column('single_timestamp', 'timestamptz', 'time', times),
  column('single_int64_wrapper', 'bigint', 'int', INTS),
  column('single_string_wrapper', 'text', 'text', TEXTS),
  column('single_double_wrapper', 'float8', 'double', DOUBLES),
  column('single_bool_wrapper', 'boolean', 'bool', [true, false]),
  column('repeated_string', 'text[]', 'texts', [[], ['a'], ['ada', ''], ['日本', "o'hara"]]),
  column('repeated_int64', 'bigint[]', 'ints', [[], [0n], [7n, -1n], [9_007_199_254_740_993n]]),
  {
    ...column('single_nested_message.bb', 'integer', 'int', SMALL),
    set: (message, value) => {
      const bb = value as number;
      message.nestedType = {
        case: 'singleNestedMessage',
        value: { $typeName: 'cel.expr.conformance.proto3.TestAllTypes.NestedMessage', bb },
      };
    },
  },
];
/** The columns of the table, by the paths of their fields. */
export const NAMES = Object.fromEntries(
  COLUMNS.map(({ path }) => [path, path.replaceAll('.', '_')]),
);

export const scope: CelScope = {
  variables: new Map<string, CelType>([
    ['resource', celMessage(TestAllTypesSchema)],
    ['t', CEL.string],
    ['i', CEL.int],
    ['u', CEL.uint],
    ['d', CEL.double],
    ['b', CEL.bool],
    ['raw', CEL.bytes],
    ['at', CEL.timestamp],
    ['texts', celList(CEL.string)],
    ['ints', celList(CEL.int)],
    ['claims', celMap(CEL.string, CEL.dyn)],
  ]),
  types,
};

/** The embedded PostgreSQL, in memory. */
export function openDatabase(): PGlite {
  return new PGlite();
}

/** Makes the table `records` of random records, whose messages are given back: their index is `id`. */
export async function fillRecords(
  database: PGlite,
  rows: number,
  random: () => number,
): Promise<readonly TestAllTypes[]> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const columns = COLUMNS.map(({ path, sql }) => `"${NAMES[path]}" ${sql}`).join(', ');
  await database.exec(`CREATE TABLE records (id integer PRIMARY KEY, ${columns})`);
  const records: TestAllTypes[] = [];
  for (let id = 0; id < rows; id++) {
    const record = create(TestAllTypesSchema);
    const values = COLUMNS.map((made) => {
      const value = random() < 0.2 ? null : pick(made.values);
      if (value !== null) made.set(record, value);
      return sqlValue(value);
    });
    const parameters = COLUMNS.map(({ sql }, at) => `$${at + 2}::text::${sql}`).join(', ');
    await database.query(`INSERT INTO records VALUES ($1, ${parameters})`, [id, ...values]);
    records.push(record);
  }
  return records;
}

/** A value as PostgreSQL reads it from text. */
function sqlValue(value: unknown): unknown {
  if (value === null) return null;
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value))
    return `{${value.map((part) => JSON.stringify(String(part))).join(',')}}`;
  if (typeof value === 'object' && 'seconds' in value) {
    const { seconds, nanos } = value as { readonly seconds: bigint; readonly nanos: number };
    const at = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
    return `${at}.${String(nanos).padStart(9, '0').slice(0, 6)}Z`;
  }
  return `${value as string | number | bigint | boolean}`;
}

/** Values of the other variables. */
export function knownValues(pick: <T>(list: readonly T[]) => T): CelValues {
  const time = pick(times);
  return {
    t: pick([...TEXTS, 'a\0b', '\ud800']),
    i: pick(INTS),
    u: pick([0n, 7n, 18_446_744_073_709_551_615n]),
    d: pick([...DOUBLES, 1.5]),
    b: pick([true, false]),
    raw: pick([new Uint8Array(), new Uint8Array([97]), new Uint8Array([98, 0])]),
    at: pick([time, create(TimestampSchema, { seconds: 1_795_872_000n, nanos: 123_456_789 })]),
    texts: pick([[], ['a', 'zoë'], ['ada', 'a\0', ''], TEXTS]),
    ints: pick([[], [0n, 7n], INTS]),
    claims: {
      name: pick([...TEXTS, null, 7, true, 1.5]),
      list: pick([[], ['ada', 7, null], [0, 1.5]]),
    },
  };
}

const OTHER: Readonly<Record<FilterColumn['kind'], readonly string[]>> = {
  text: ['t', "'ada'", "''", 'texts[0]', 'claims.name', 'claims.absent', 'string(i)'],
  int: ['i', '0', '7', 'ints[0]', 'claims.name', '(i + 1)', 'size(t)'],
  uint: ['u', '7u', 'claims.name'],
  double: ['d', '1.5', 'claims.name', '(d / 0.0)'],
  bool: ['b', 'true', 'claims.name', '(t == "")'],
  bytes: ['raw', "b'a'"],
  time: ['at', "timestamp('1970-01-01T00:00:00Z')", "(at - duration('1ns'))"],
  texts: ['t', "'a'", 'claims.name'],
  ints: ['i', '7', 'claims.name'],
};

/** A random condition that a filter can say. */
export function condition(random: () => number, depth: number): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const of = (): string => condition(random, depth - 1);
  if (depth > 0 && random() < 0.65) {
    return pick([
      () => `(${of()} && ${of()})`,
      () => `(${of()} || ${of()})`,
      () => `!${of()}`,
      () => `(${of()} ? ${of()} : ${of()})`,
      () => `texts.exists(e, e == resource.single_string || ${of()})`,
      () => `ints.all(e, e <= resource.single_int64_wrapper)`,
    ])();
  }
  const made = pick(COLUMNS);
  const field = `resource.${made.path}`;
  const other = pick(OTHER[made.kind]);
  if (made.kind === 'texts' || made.kind === 'ints')
    return pick([`(${other} in ${field})`, `has(${field})`]);
  const operators = made.kind === 'bool' ? ['==', '!='] : ['==', '!=', '<', '<=', '>', '>='];
  const tests = [
    `(${field} ${pick(operators)} ${other})`,
    `(${other} ${pick(operators)} ${field})`,
  ];
  if (made.kind === 'bool') tests.push(field);
  if (made.kind === 'text') {
    tests.push(
      `${field}.${pick(['contains', 'startsWith', 'endsWith'])}(${pick(['t', "'a'", "''"])})`,
    );
    tests.push(`(${field} in ${pick(['texts', 'claims.list', "['ada', t]"])})`);
  }
  if (made.kind === 'int') {
    tests.push(
      `(${field} in ${pick(['ints', 'claims.list', '[0, i]'])})`,
      `(${field} ${pick(['<', '>=', '>'])} d)`,
    );
  }
  if (made.path.endsWith('wrapper')) tests.push(`(${field} ${pick(['==', '!='])} null)`);
  if (made.kind !== 'double' && !made.path.includes('.')) tests.push(`has(${field})`);
  return pick([...tests, 'b', `(claims.name == t)`, '(1 / (i - i) == 1)']);
}
