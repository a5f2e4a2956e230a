import { getCheckingSuite } from '@bufbuild/cel-spec/testdata/tests.js';
import { checkSource } from '../../libs/authz/src/cel/check/checker.js';
import {
  CEL,
  celList,
  celMap,
  celMessage,
  formatCelType,
  type CelType,
} from '../../libs/authz/src/cel/cel-type.js';
import { Tally, type Reason } from './reasons.js';
import { types } from './spec-values.js';

const REASONS: readonly Reason[] = [
  {
    because: 'functions that only the case declares',
    cases: /^(20|21|78|79|95|96|98|99|100) /,
    mistake: /^undeclared/,
    count: 9,
  },
  {
    because: 'ordering int, uint and double among each other is standard; these switch it off',
    cases: /^1\d\d 1 [<>]=? 1\.0 /,
    count: 6,
  },
  {
    because: "the group of cel-spec's message has another field than that of cel-go's",
    cases: /^115 /,
    mistake: /has no field "nested_id"/,
    count: 1,
  },
  {
    because: 'an extension of CEL, not its standard: optional values',
    cases: /^(118|119|120) /,
    mistake: /^undeclared/,
    count: 3,
  },
];

type Variables = Readonly<Record<string, CelType>>;

const message = messageOf('cel.expr.conformance.proto3.TestAllTypes');
const message2 = messageOf('cel.expr.conformance.proto2.TestAllTypes');
const wrapped: CelType = { kind: 'wrapper', of: 'int' };
const BASIC: Variables = {
  is: CEL.string,
  ii: CEL.int,
  iu: CEL.uint,
  iz: CEL.bool,
  id: CEL.double,
  ix: CEL.null,
  ib: CEL.bytes,
};

/** Variables of the cases, which only cel-go's tests have: by the number of the case. */
const VARIABLES: Readonly<Record<number, Variables>> = {
  33: { x: celList(CEL.int) },
  44: { x: message },
  45: { x: message },
  47: { x: celList(message), y: celList(CEL.int) },
  48: { x: celMap(CEL.string, CEL.dyn), y: celList(CEL.dyn), z: CEL.dyn },
  50: { x: celList(message) },
  51: { x: celList(message) },
  52: { x: message },
  53: { x: message },
  54: { x: CEL.bool },
  55: { x: message },
  56: { x: message },
  57: { x: celMap(CEL.string, message) },
  58: { x: celMap(CEL.string, message) },
  59: { x: message },
  60: { x: message },
  61: { x: message },
  62: { x: message },
  63: { x: message },
  64: { x: message },
  65: { x: message },
  66: { x: message },
  67: { x: message },
  68: { x: message },
  69: { x: message },
  70: { lists: CEL.dyn },
  74: { x: CEL.dyn, y: wrapped },
  75: { x: CEL.dyn, y: wrapped },
  76: { x: message },
  80: { x: message },
  81: { x: message, y: wrapped },
  90: { args: celMap(CEL.string, CEL.dyn) },
  91: { a: { kind: 'param', name: 'T' } },
  92: { pb2: message2, pb3: message },
  113: { values: celList(celMap(CEL.string, CEL.string)) },
  115: { testAllTypes: message2 },
  132: { null_int: wrapped, null_msg: message },
};

/** Where names are looked up first, where it is not the package of TestAllTypes of proto3. */
const CONTAINERS: Readonly<Record<number, string>> = {
  72: 'cel.expr.conformance',
  93: 'cel.expr.conformance.proto2',
};

function messageOf(name: string): CelType {
  const desc = types(name);
  if (desc?.kind !== 'message') throw new Error(`${name} is not there`);
  return celMessage(desc);
}

/** Types as cel-go finds them, or a mistake where it finds one. */
export function runChecking(): number {
  const tally = new Tally('checking', REASONS);
  getCheckingSuite().tests.forEach(({ original, type, error }, at) => {
    const source = renamed(original.expr);
    const scope = {
      variables: new Map(Object.entries(VARIABLES[at] ?? BASIC)),
      types,
      container: CONTAINERS[at] ?? 'cel.expr.conformance.proto3',
    };
    const { root, mistakes } = checkSource(source, scope);
    const texts = mistakes.map((mistake) => mistake.message);
    tally.add(
      `${at} ${source}`,
      failureOf(texts, root && formatCelType(root.type), type, error),
      texts,
    );
  });
  return tally.end();
}

function failureOf(
  mistakes: readonly string[],
  given: string | undefined,
  wanted: string | undefined,
  error: string | undefined,
): string | undefined {
  if (error !== undefined) return mistakes.length > 0 ? undefined : 'is taken';
  if (mistakes.length > 0) return mistakes.join('; ');
  return given === renamed(wanted ?? '') ? undefined : `is ${given}, not ${wanted}`;
}

/** The messages of cel-go's tests as those of cel-spec, which have the same fields. */
function renamed(text: string): string {
  return text
    .replace(/^test\.TestAllTypes$/, 'proto3.TestAllTypes')
    .replaceAll(/google\.expr\.proto([23])\.test/g, 'cel.expr.conformance.proto$1');
}
