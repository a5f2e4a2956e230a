import {
  celEnv,
  celMap as celMapOf,
  celUint,
  isCelError as isTheirError,
  isCelList,
  isCelMap as isTheirMap,
  isCelType,
  isCelUint,
  parse,
  plan,
} from '@bufbuild/cel';
import { TestAllTypesSchema } from '@bufbuild/cel-spec/cel/expr/conformance/proto3/test_all_types_pb.js';
import { getTestRegistry } from '@bufbuild/cel-spec/testdata/registry.js';
import { create, isMessage } from '@bufbuild/protobuf';
import { isReflectMessage } from '@bufbuild/protobuf/reflect';
import {
  anyPack,
  DurationSchema,
  StringValueSchema,
  timestampFromDate,
} from '@bufbuild/protobuf/wkt';
import { isCelError } from '../../libs/authz/src/cel/cel-error.js';
import {
  CEL,
  celList,
  celMap,
  celMessage,
  type CelType,
} from '../../libs/authz/src/cel/cel-type.js';
import { areMistakes } from '../../libs/authz/src/cel/cel-scope.js';
import { compileExpression } from '../../libs/authz/src/cel/compile-expression.js';
import {
  CelTypeName,
  CelUint,
  EntryMap,
  mapKey,
  type MapKey,
} from '../../libs/authz/src/cel/values/cel-value.js';
import { RandomExpressions, seeded, type RandomType } from './random-expressions.js';
import { sameValue, types } from './spec-values.js';

const message = celMessage(TestAllTypesSchema);
const VARIABLES = new Map<string, CelType>([
  ['flag', CEL.bool],
  ['count', CEL.int],
  ['big', CEL.int],
  ['few', CEL.uint],
  ['ratio', CEL.double],
  ['nan', CEL.double],
  ['name', CEL.string],
  ['raw', CEL.bytes],
  ['at', CEL.timestamp],
  ['wait', CEL.duration],
  ['numbers', celList(CEL.int)],
  ['names', celList(CEL.string)],
  ['ages', celMap(CEL.string, CEL.int)],
  ['msg', message],
  ['item', message],
]);

const SHARED = {
  flag: true,
  count: 3n,
  big: 9_223_372_036_854_775_806n,
  ratio: 2.5,
  nan: Number.NaN,
  name: 'ada',
  raw: new Uint8Array([0, 255]),
  at: timestampFromDate(new Date('2026-11-28T13:37:16.250Z')),
  wait: create(DurationSchema, { seconds: 3661n, nanos: 5_000_000 }),
  numbers: [1n, 0n, -5n],
  names: ['ada', 'bob', '😀'],
  msg: create(TestAllTypesSchema, {
    singleInt32: -7,
    singleInt64: 9_007_199_254_740_993n,
    singleUint32: 4_294_967_295,
    singleUint64: 18_446_744_073_709_551_615n,
    singleDouble: -0.5,
    singleFloat: 1.5,
    singleBool: true,
    singleString: 'ada',
    singleBytes: new Uint8Array([1]),
    standaloneEnum: 1,
    singleInt64Wrapper: 5n,
    singleStringWrapper: 'ada',
    singleAny: anyPack(StringValueSchema, create(StringValueSchema, { value: 'zoë' })),
    repeatedInt32: [1, 2],
    repeatedInt64: [5n, 5n],
    repeatedString: ['x', 'ada'],
    mapStringInt64: { ada: 36n, b: 0n },
    singleTimestamp: timestampFromDate(new Date(0)),
  }),
  item: create(TestAllTypesSchema, {}),
};
const OURS = { ...SHARED, few: new CelUint(3n), ages: { ada: 36n, bob: 41n } };
const THEIRS = {
  ...SHARED,
  few: celUint(3n),
  ages: celMapOf(
    new Map([
      ['ada', 36n],
      ['bob', 41n],
    ]),
  ),
};

const TYPES: readonly RandomType[] = [
  'bool',
  'bool',
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'timestamp',
  'duration',
  'ints',
  'strings',
  'map',
  'message',
];
const CONTAINER = 'cel.expr.conformance.proto3';

/** Random expressions: the same values and errors as those of @bufbuild/cel's evaluator. */
export function runDifferential(count: number, seed: number): number {
  const random = seeded(seed);
  const expressions = new RandomExpressions(random);
  const scope = { variables: VARIABLES, types, container: CONTAINER };
  const env = celEnv({ registry: getTestRegistry(), namespace: CONTAINER });
  let failed = 0;
  let errors = 0;
  for (let at = 0; at < count; at++) {
    const source = expressions.make(expressions.pick(TYPES), 4);
    const compiled = compileExpression(source, scope);
    if (areMistakes(compiled)) {
      failed++;
      console.log(`FAILED ${source}: ${compiled.map(({ message }) => message).join('; ')}`);
      continue;
    }
    const ours = compiled.evaluate(OURS);
    const raw = plan(env, parse(source))(THEIRS);
    const theirs = asOurs(raw);
    if (isCelError(ours)) errors++;
    const same = isCelError(ours) ? theirs === ERROR : sameValue(ours, theirs);
    if (same) continue;
    failed++;
    if (failed < 20) console.log(`FAILED ${source}: ${shown(ours)}, theirs ${shown(raw)}`);
  }
  console.log(
    `differential: ${count} expressions of seed ${seed}, ${errors} of them errors, ${failed} differ`,
  );
  return failed;
}

const ERROR = Symbol('error');

function asOurs(value: unknown): unknown {
  if (isTheirError(value)) return ERROR;
  if (isCelUint(value)) return new CelUint(value.value);
  if (isCelType(value)) return new CelTypeName(value.name);
  if (isReflectMessage(value)) return value.message;
  if (isMessage(value)) return value;
  if (isCelList(value)) return [...value].map(asOurs);
  if (isTheirMap(value)) {
    const entries = [...value].map(([key, part]): [MapKey, [unknown, unknown]] => [
      mapKey(asOurs(key)) ?? '',
      [asOurs(key), asOurs(part)],
    ]);
    return new EntryMap(new Map(entries));
  }
  return value;
}

function shown(value: unknown): string {
  if (isCelError(value)) return `error: ${value.message}`;
  if (isTheirError(value)) return `error: ${value.message}`;
  return (
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ??
    ''
  );
}
