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
import { areMistakes, compileExpression } from '../../libs/authz/src/cel/compile-expression.js';
import { compileFilter, isFilterMistakes } from '../../libs/authz/src/cel/filter/compile-filter.js';
import { matchesFilter } from '../../libs/authz/src/cel/filter/record-filter.js';
import { toSql } from '../../libs/authz/src/cel/filter/to-sql.js';
import { seeded } from './random-expressions.js';
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

interface Column {
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
  kind: Column['kind'],
  values: readonly unknown[],
): Column {
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
const COLUMNS: readonly Column[] = [
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
const NAMES = Object.fromEntries(COLUMNS.map(({ path }) => [path, path.replaceAll('.', '_')]));

const scope: CelScope = {
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

/** Random conditions on random records: the list that PostgreSQL gives is the records for which the condition is true. */
export async function runFilters(conditions: number, rows: number, seed: number): Promise<number> {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const database = new PGlite();
  const names = Object.values(NAMES).map((name) => `"${name}"`);
  const columns = COLUMNS.map(({ sql }, at) => `${names[at]} ${sql}`).join(', ');
  await database.exec(`CREATE TABLE records (id integer PRIMARY KEY, ${columns})`);
  const records = Array.from({ length: rows }, () => {
    const record = create(TestAllTypesSchema);
    const values = COLUMNS.map((made) => {
      const value = random() < 0.2 ? null : pick(made.values);
      if (value !== null) made.set(record, value);
      return sqlValue(value);
    });
    return { record, values };
  });
  for (const [id, { values }] of records.entries()) {
    const parameters = COLUMNS.map(({ sql }, at) => `$${at + 2}::text::${sql}`).join(', ');
    await database.query(`INSERT INTO records VALUES ($1, ${parameters})`, [id, ...values]);
  }
  let failed = 0;
  let empty = 0;
  let all = 0;
  for (let count = 0; count < conditions; count++) {
    const source = condition(random, 3);
    const values = knownValues(pick);
    const filter = compileFilter(source, scope, 'resource');
    const compiled = compileExpression(source, scope);
    if (isFilterMistakes(filter) || areMistakes(compiled)) {
      failed++;
      console.log(`FAILED ${source}: ${JSON.stringify(filter)}`);
      continue;
    }
    const plan = filter.plan(values);
    const listFilter = { desc: TestAllTypesSchema, fields: filter.fields, where: plan };
    const { text, values: parameters } = toSql(listFilter, { columns: NAMES });
    const wanted = records.flatMap(({ record }, id) =>
      compiled.evaluate({ ...values, resource: record }) === true ? [id] : [],
    );
    const matched = records.flatMap(({ record }, id) => (matchesFilter(plan, record) ? [id] : []));
    const listed = await listedBy(database, text, parameters);
    if (wanted.length === 0) empty++;
    if (wanted.length === rows) all++;
    if (same(listed, wanted) && same(matched, wanted)) continue;
    failed++;
    const other = [...listed, ...matched, ...wanted].find(
      (id) =>
        listed.includes(id) !== wanted.includes(id) || matched.includes(id) !== wanted.includes(id),
    );
    console.log(
      `FAILED ${source}\n  ${text} ${shown(parameters)}\n  ${wanted.length} wanted, ${matched.length} matched, ` +
        `${listed.length} listed, such as ${shown(records[other ?? 0]?.values)}; known: ${shown(values)}`,
    );
  }
  await database.close();
  console.log(
    `filters: ${conditions} conditions on ${rows} records of seed ${seed}, ${empty} list none, ${all} all, ${failed} differ`,
  );
  return failed;
}

async function listedBy(
  database: PGlite,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly number[]> {
  try {
    const { rows } = await database.query<{ id: number }>(
      `SELECT id FROM records WHERE ${text} ORDER BY id`,
      [...parameters],
    );
    return rows.map(({ id }) => id);
  } catch (error) {
    console.log(`  ${String(error)}`);
    return [-1];
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

function shown(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ??
    ''
  );
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

function knownValues(pick: <T>(list: readonly T[]) => T): CelValues {
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

const OTHER: Readonly<Record<Column['kind'], readonly string[]>> = {
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
function condition(random: () => number, depth: number): string {
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
