import { describe, expect, it } from '@jest/globals';
import { TestAllTypesSchema } from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { create } from '@bufbuild/protobuf';
import { CEL, celList, celMessage, type CelType } from '../cel-type.js';
import type { CelScope } from '../cel-scope.js';
import { compileFilter, isFilterMistakes, type CompiledFilter } from './compile-filter.js';
import { matchesFilter } from './record-filter.js';
import { toSql } from './to-sql.js';

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

function compile(source: string): CompiledFilter {
  const compiled = compileFilter(source, scope, 'resource');
  if (isFilterMistakes(compiled)) throw new Error(compiled.map(({ message }) => message).join());
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
    const filter = compile(source).plan({ id: 'ada', roles: ['staff'] });
    expect(toSql(filter, { columns })).toEqual({ text, values });
  });

  it('numbers its parameters after those of the query', () => {
    const filter = compile('owns').plan({ id: 'ada', roles: [] });
    expect(toSql(filter, { columns, firstParameter: 3 }).text).toBe('("o"."customer" = $3::text)');
  });

  it('says the fields that it tests, and throws for one without a column', () => {
    const compiled = compile('owns || resource.single_bool');
    expect([...compiled.fields]).toEqual(['single_string', 'single_bool']);
    const filter = compiled.plan({ id: 'ada', roles: [] });
    expect(() => toSql(filter, { columns: { single_string: 'c' } })).toThrow(
      'authz: no column for the field "single_bool" of a list filter; add it to columns of toSql',
    );
  });

  it('decides for a record as its SQL does', () => {
    const filter = compile('owns && resource.single_int64 > 2').plan({ id: 'ada', roles: [] });
    const record = (singleString: string, singleInt64: bigint) =>
      create(TestAllTypesSchema, { singleString, singleInt64 });
    expect(matchesFilter(filter, record('ada', 3n))).toBe(true);
    expect(matchesFilter(filter, record('ada', 2n))).toBe(false);
    expect(matchesFilter(filter, record('eve', 3n))).toBe(false);
  });

  it('lists nothing without a value that the condition reads', () => {
    expect(toSql(compile('owns').plan({}), { columns }).text).toBe('(FALSE)');
    expect(toSql(compile('!owns').plan({}), { columns }).text).toBe('(FALSE)');
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
    const places = isFilterMistakes(compiled) ? compiled.map((m) => `${m.line}:${m.column}`) : [];
    expect(places).toContain(at);
  });
});
