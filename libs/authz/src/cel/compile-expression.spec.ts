import { describe, expect, it } from '@jest/globals';
import { TestAllTypesSchema } from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { create } from '@bufbuild/protobuf';
import { isCelError } from './cel-error.js';
import type { CelScope, CelValues, CompiledExpression } from './cel-scope.js';
import { CEL, celList, celMap, celMessage, formatCelType, type CelType } from './cel-type.js';
import { areMistakes } from './cel-scope.js';
import { compileExpression } from './compile-expression.js';

const registry = getTestRegistry();
const scope: CelScope = {
  variables: new Map<string, CelType>([
    ['resource', celMessage(TestAllTypesSchema)],
    ['id', CEL.string],
    ['roles', celList(CEL.string)],
    ['claims', celMap(CEL.string, CEL.dyn)],
    ['now', CEL.timestamp],
    ['level', CEL.int],
  ]),
  types: (name) => registry.getMessage(name) ?? registry.getEnum(name),
  container: 'cel.expr.conformance.proto3',
  definitions: new Map([
    ['owns', 'resource.single_string == id'],
    ['may_read', "owns || 'staff' in roles"],
    ['round', 'round && true'],
    ['broken', 'id +\n  level'],
  ]),
  maxSteps: 1000,
};

const resource = create(TestAllTypesSchema, {
  singleString: 'ada',
  singleInt64: 9_007_199_254_740_993n,
  standaloneEnum: 1,
  repeatedString: ['a', 'b'],
  mapStringInt64: { ada: 36n },
});
const values: CelValues = {
  resource,
  id: 'ada',
  roles: new Set(['staff']),
  claims: { tenant: 'eu', level: 3, none: null, list: [1, { deep: 'x' }] },
  now: new Date('2026-02-28T23:30:00Z'),
  level: 3,
};

function compile(source: string, over: Partial<CelScope> = {}): CompiledExpression {
  const compiled = compileExpression(source, { ...scope, ...over });
  if (areMistakes(compiled)) throw new Error(compiled.map(({ message }) => message).join('; '));
  return compiled;
}

function mistakesOf(source: string): readonly string[] {
  const compiled = compileExpression(source, scope);
  if (!areMistakes(compiled)) return [];
  return compiled.map(
    ({ line, column, message, definition }) =>
      `${definition === undefined ? '' : `${definition} `}${line}:${column} ${message}`,
  );
}

describe('an expression of a condition', () => {
  it.each<[string, unknown]>([
    [
      'resource.single_string == id && resource.standalone_enum == TestAllTypes.NestedEnum.BAR',
      true,
    ],
    ['resource.single_int64 == 9007199254740993', true],
    ['may_read', true],
    ["claims.tenant == 'eu' && claims.level >= 3", true],
    ['claims.none == null', true],
    ["claims.list[1].deep == 'x'", true],
    ['has(claims.tenant) && !has(claims.absent)', true],
    ['has(resource.single_nested_message)', false],
    ['resource.single_nested_message.bb', 0n],
    ['resource.single_int32_wrapper == null', true],
    ["resource.map_string_int64['ada']", 36n],
    ["resource.repeated_string.exists(r, r in ['b'])", true],
    ["roles.map(r, r + '!')", ['staff!']],
    ["'😀é'.size()", 2n],
    ["'\\U0001F600' > '\\uFFFD'", true],
    ["now.getDate('+02:00')", 1n],
    ["now - duration('24h') < now", true],
    ["1 / 0 == 1 || id == 'ada'", true],
    ["id.matches('^(a+)+$')", false],
    ['dyn(1) == 1.0 && 1 < 2.5', true],
  ])('%s is %p', (source, wanted) => {
    expect(compile(source).evaluate(values)).toEqual(wanted);
  });

  it.each([
    '1 / (level - level) == 1',
    'claims.absent == 1',
    'claims.tenant > 1',
    'resource.repeated_string[2] == id',
    '9223372036854775807 + level > 0',
    'int(claims.tenant) == 1',
  ])('%s is an error, which is a value', (source) => {
    expect(isCelError(compile(source).evaluate(values))).toBe(true);
  });

  it.each<[string, readonly string[]]>([
    [
      'resource.single_sting == id &&\n  rols.size() > 0',
      [
        '1:9 cel.expr.conformance.proto3.TestAllTypes has no field "single_sting"; did you mean "single_string"?',
        '2:3 undeclared name "rols"; did you mean "roles"?',
      ],
    ],
    ['id == 1', ['1:4 operator == does not take (string, int)']],
    ['siez(id) == 1', ['1:1 undeclared function "siez"; did you mean "size"?']],
    ['id ==', ['1:4 syntax error: found = but expecting end of input']],
    [
      "id.matches('(')",
      ['1:3 not a regular expression of RE2: error parsing regexp: missing closing ): `(`'],
    ],
    [
      "now < timestamp('2026-02-29T00:00:00Z')",
      ['1:7 not a timestamp of RFC 3339: "2026-02-29T00:00:00Z"'],
    ],
    ['round', ['round 1:1 definition round uses itself']],
    ['broken == id', ['broken 1:4 operator + does not take (string, int)']],
    ['roles.all(r, r)', ['1:14 the test of a macro must be a bool, not string']],
    [
      '9223372036854775808 == level',
      ['1:1 9223372036854775808 is not an int: it is beyond 64 bits'],
    ],
  ])('%j is refused with all its mistakes', (source, wanted) => {
    expect(mistakesOf(source)).toEqual(wanted);
  });

  it('is refused when it is longer than the parser should read', () => {
    expect(mistakesOf('x'.repeat(20_001))).toEqual([
      '1:20001 the expression is longer than 20000 characters',
    ]);
  });

  it('says its type, what it reads, and the most that it takes', () => {
    const compiled = compile('may_read && roles.exists(r, r == claims.tenant)');
    expect(formatCelType(compiled.type)).toBe('bool');
    expect([...compiled.reads].toSorted()).toEqual([
      'claims',
      'claims.tenant',
      'id',
      'resource',
      'resource.single_string',
      'roles',
    ]);
    expect(compiled.cost).toBeGreaterThan(300);
    expect(compile('id == id').cost).toBeLessThan(10);
  });

  it('ends with an error after the steps that it may take', () => {
    const many = Array.from({ length: 40 }, (_, at) => `r${at}`);
    const nested = compile('roles.all(a, roles.all(b, a == b || a != b))');
    expect(nested.evaluate({ ...values, roles: many.slice(0, 20) })).toBe(true);
    expect(nested.evaluate({ ...values, roles: many })).toMatchObject({
      message: 'the evaluation takes more than 1000 steps',
    });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const throwing = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
      has: () => true,
    },
  );
  it.each<[string, CelValues]>([
    [
      'a record of another type',
      { ...values, resource: { $typeName: 'other.Type', singleString: 'ada' } },
    ],
    ['no record', { ...values, resource: undefined }],
    ['a record that throws', { ...values, resource: throwing }],
    ['a name with another type', { ...values, id: { toString: () => 'ada' } }],
  ])('is an error with %s, and throws nothing', (_, given) => {
    expect(isCelError(compile('owns').evaluate(given))).toBe(true);
  });

  it('compares values nested without end without throwing', () => {
    const result = compile('claims == claims.self').evaluate({ ...values, claims: cyclic });
    expect(isCelError(result)).toBe(true);
  });

  it('takes a claim called like a property of every object for absent', () => {
    expect(compile('has(claims.constructor) || has(claims.__proto__)').evaluate(values)).toBe(
      false,
    );
  });
});
