import { describe, expect, it } from '@jest/globals';
import { TestAllTypesSchema } from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { create } from '@bufbuild/protobuf';
import { CEL, celList, celMessage, type CelType } from '../cel-type.js';
import type { CelScope, CelValues } from '../cel-scope.js';
import { areMistakes } from '../cel-scope.js';
import { compileFilter, type CompiledFilter } from './compile-filter.js';
import { describeFilter } from './describe-filter.js';
import { type ListFilter, mayList } from './list-filter.js';
import { prismaWhere } from '../../filters/prisma.js';
import { toSql } from '../../filters/to-sql.js';

const scope: CelScope = {
  variables: new Map<string, CelType>([
    ['resource', celMessage(TestAllTypesSchema)],
    ['id', CEL.string],
    ['roles', celList(CEL.string)],
  ]),
  types: () => undefined,
  definitions: new Map([['owns', 'resource.single_string == id']]),
};
const columns = {
  single_string: 'o.customer',
  single_int64: 'total',
  single_bool: 'paid',
  'single_nested_message.bb': 'bb',
};

/** The filter of a condition for what is known. */
function filterOf(source: string, values: CelValues): ListFilter {
  const compiled = compile(source);
  return { desc: TestAllTypesSchema, fields: compiled.fields, where: compiled.plan(values) };
}

function compile(source: string): CompiledFilter {
  const compiled = compileFilter(source, scope, 'resource');
  if (areMistakes(compiled)) throw new Error(compiled.map(({ message }) => message).join());
  return compiled;
}

describe('a filter of a condition', () => {
  it.each<[string, string, readonly unknown[]]>([
    ['owns', '("o"."customer" = $1::text)', ['ada']],
    ["owns || 'staff' in roles", '(TRUE)', []],
    ["owns && 'admin' in roles", '(FALSE)', []],
    ['!owns', '(("o"."customer" <> $1::text OR "o"."customer" IS NULL))', ['ada']],
    ['5 <= resource.single_int64', '("total" >= $1::bigint)', ['5']],
    ['resource.single_int64 < 5', '(("total" < $1::bigint OR "total" IS NULL))', ['5']],
    ['resource.single_string in roles', '("o"."customer" IN ($1::text))', ['staff']],
    ['has(resource.single_string)', '("o"."customer" <> $1::text)', ['']],
    ['id == "eve" || 1 / 0 == 1', '(FALSE)', []],
    ['!(1 / 0 == 1)', '(FALSE)', []],
    [
      'owns && resource.single_nested_message.bb == 1',
      '(("o"."customer" = $1::text AND "bb" = $2::bigint))',
      ['ada', '1'],
    ],
  ])('%s is %s', (source, text, values) => {
    const filter = filterOf(source, { id: 'ada', roles: ['staff'] });
    expect(toSql(filter, { columns })).toEqual({ text, values });
  });

  it('numbers its parameters after those of the query', () => {
    const filter = filterOf('owns', { id: 'ada', roles: [] });
    expect(toSql(filter, { columns, firstParameter: 3 }).text).toBe('("o"."customer" = $3::text)');
  });

  it('says the fields that it may test, and throws for one without a column, and for a column without a field', () => {
    const compiled = compile("'staff' in roles || owns || resource.single_bool");
    expect([...compiled.fields]).toEqual(['single_string', 'single_bool']);
    const filter = filterOf(compiled.source, { id: 'ada', roles: ['staff'] });
    expect(filter.where).toEqual({ kind: 'everything' });
    expect(() => toSql(filter, { columns: { single_string: 'c' } })).toThrow(
      'authz: no column for the field "single_bool" of a list filter; add it to columns of toSql',
    );
    expect(() =>
      toSql(filter, { columns: { ...columns, 'single_nested_message.b': 'b' } }),
    ).toThrow('TestAllTypes has no field "single_nested_message.b"; correct columns of toSql');
  });

  it.each<[string, string]>([
    ['owns', 'single_string == "ada"'],
    [
      "!owns || 'staff' in roles && resource.single_bool",
      '!(single_string == "ada") || (single_bool == true)',
    ],
    ['resource.single_string in roles', 'single_string in ["staff"]'],
    [
      'resource.single_string.contains(id) && resource.single_uint64 > 3u',
      'single_string.contains("ada") && (single_uint64 > 3)',
    ],
    [
      'resource.single_bool ? has(resource.single_string) : owns',
      '(single_bool == true) ? (single_string != "") : (single_string == "ada")',
    ],
    ['id in resource.repeated_string', '"ada" in repeated_string'],
    ["resource.single_bytes == b'a'", 'single_bytes == b"a"'],
    [
      "resource.single_timestamp < timestamp('2026-01-01T00:00:00Z')",
      'single_timestamp < timestamp("2026-01-01T00:00:00Z")',
    ],
    ['1 / 0 == 1', 'nothing, as its value is an error'],
    ['id == "ada"', 'everything'],
  ])('%s reads as %s', (source, text) => {
    const { where } = filterOf(source, { id: 'ada', roles: ['staff'] });
    expect(describeFilter(where)).toBe(text);
  });

  it('decides for a record as its SQL does', () => {
    const filter = filterOf('owns && resource.single_int64 > 2', { id: 'ada', roles: [] });
    const record = (singleString: string, singleInt64: bigint) =>
      create(TestAllTypesSchema, { singleString, singleInt64 });
    expect(mayList(filter, record('ada', 3n))).toBe(true);
    expect(mayList(filter, record('ada', 2n))).toBe(false);
    expect(mayList(filter, record('eve', 3n))).toBe(false);
  });

  it('lists nothing without a value that the condition reads', () => {
    expect(toSql(filterOf('owns', {}), { columns }).text).toBe('(FALSE)');
    expect(toSql(filterOf('!owns', {}), { columns }).text).toBe('(FALSE)');
  });

  it.each([
    ['resource.single_int64 + 1 == 2', '1:27'],
    ['resource.single_string == resource.single_string', '1:24'],
    ['owns && size(resource.single_string) > 1', '1:38'],
    ['resource.repeated_string.exists(r, r == id)', '1:25'],
    ['resource.single_duration == resource.single_duration', '1:26'],
    ['resource.single_string', '1:9'],
  ])('%s is refused at compile time', (source, at) => {
    const compiled = compileFilter(source, scope, 'resource');
    const places = areMistakes(compiled) ? compiled.map((m) => `${m.line}:${m.column}`) : [];
    expect(places).toContain(at);
  });
});

describe('a filter as a where object of Prisma', () => {
  const properties = {
    single_string: 'customer',
    single_int32: 'size',
    single_int64: 'total?',
    single_double: 'weight?',
    single_bytes: 'photo?',
    single_bool: 'paid?',
    single_timestamp: 'at?',
    repeated_string: 'tags?',
  };
  const whereOf = (source: string): object =>
    prismaWhere(filterOf(source, { id: 'ada', roles: ['staff'] }), properties);

  it.each<[string, object]>([
    ['owns', { customer: { equals: 'ada' } }],
    ['!owns', { customer: { not: 'ada' } }],
    ["owns || 'staff' in roles", {}],
    ["owns && 'admin' in roles", { customer: { in: [] } }],
    ["(owns && 'admin' in roles) || resource.single_int32 == 1", { size: { equals: 1 } }],
    ['1 / 0 == 1', { customer: { in: [] } }],
    ['resource.single_int64 >= 5', { total: { gte: 5 } }],
    ['resource.single_int64 < 5', { OR: [{ total: { lt: 5 } }, { total: null }] }],
    [
      'resource.single_int64 == 9223372036854775807',
      { total: { equals: 9_223_372_036_854_775_807n } },
    ],
    ['resource.single_int32 == 3000000000', { customer: { in: [] } }],
    ['resource.single_int32 < 3000000000', {}],
    ['resource.single_string in roles', { customer: { in: ['staff'] } }],
    ['!(resource.single_string in roles)', { customer: { notIn: ['staff'] } }],
    ["resource.single_string.contains('10%_')", { customer: { contains: '10\\%\\_' } }],
    ["!resource.single_string.startsWith('a')", { customer: { not: { startsWith: 'a' } } }],
    ["resource.single_string == 'a\\u0000'", { customer: { in: [] } }],
    ["'vip' in resource.repeated_string", { tags: { has: 'vip' } }],
    [
      "!('vip' in resource.repeated_string)",
      { OR: [{ NOT: { tags: { has: 'vip' } } }, { tags: { equals: null } }] },
    ],
    ['resource.single_bool', { paid: { equals: true } }],
    ['!resource.single_bool', { OR: [{ paid: { not: true } }, { paid: null }] }],
    ['has(resource.single_timestamp)', { at: { not: null } }],
    [
      "resource.single_timestamp == timestamp('2026-01-02T03:04:05.006Z')",
      { at: { equals: new Date('2026-01-02T03:04:05.006Z') } },
    ],
    ['resource.single_double == 1.5', { weight: { equals: 1.5 } }],
    ['resource.single_double < 1.5', { OR: [{ weight: { lt: 1.5 } }, { weight: null }] }],
  ])('%s is %j', (source, where) => {
    expect(whereOf(source)).toEqual(where);
  });

  it.each([
    ["resource.single_string < 'b'", 'the order of texts of "single_string"'],
    ["resource.single_bytes < b'b'", 'the order of bytes of "single_bytes"'],
    ['resource.single_double > 1.5', 'the order of doubles of "single_double"'],
    [
      "resource.single_timestamp < timestamp('2026-01-02T03:04:05.0001Z')",
      'a time between two milliseconds',
    ],
  ])('%s is refused rather than said wrongly', (source, what) => {
    expect(() => whereOf(source)).toThrow(what);
    expect(() => whereOf(source)).toThrow('use $queryRaw with toSqlTemplate');
  });

  it('needs a property for each field, and one by which it can find nothing', () => {
    expect(() => prismaWhere(filterOf('owns', { id: 'ada' }), {})).toThrow(
      'no column for the field "single_string"',
    );
    expect(() => prismaWhere(filterOf("id == 'eve'", { id: 'ada' }), {})).toThrow(
      'prismaWhere needs a column of the list filter',
    );
    expect(prismaWhere(filterOf("id == 'ada'", { id: 'ada' }), {})).toEqual({});
  });
});
