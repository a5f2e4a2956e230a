import {
  getConformanceSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { isCelError } from '../../libs/authz/src/cel/cel-error.js';
import type { CelScope } from '../../libs/authz/src/cel/cel-scope.js';
import { CEL, formatCelType, type CelType } from '../../libs/authz/src/cel/cel-type.js';
import { checkSource } from '../../libs/authz/src/cel/check/checker.js';
import { compiledOf } from '../../libs/authz/src/cel/compile-expression.js';
import type { CelNode } from '../../libs/authz/src/cel/check/cel-node.js';
import { EVALUATION_REASONS, Tally } from './reasons.js';
import { sameValue, typeOf, types, valueOf } from './spec-values.js';

/** The values of cel-spec's cases, their errors, and the types of those that have one. */
export function runEvaluations(): number {
  const tally = new Tally('evaluation', EVALUATION_REASONS);
  for (const { path, test } of casesOf(getConformanceSuite(), 'conformance')) {
    const { root, mistakes } = checkSource(test.original.expr, scopeOf(test));
    const texts = mistakes.map(({ message }) => message);
    tally.add(path, failureOf(test, root, texts[0]), texts);
  }
  return tally.end();
}

function* casesOf(
  suite: IncrementalTestSuite,
  path: string,
): Iterable<{ readonly path: string; readonly test: IncrementalTest }> {
  for (const test of suite.tests) yield { path: `${path}/${test.name}`, test };
  for (const inner of suite.suites) yield* casesOf(inner, `${path}/${inner.name}`);
}

function scopeOf({ original }: IncrementalTest): CelScope {
  const variables = new Map<string, CelType>();
  for (const name of Object.keys(original.bindings)) variables.set(name, CEL.dyn);
  for (const { name, declKind } of original.typeEnv) {
    if (declKind.case !== 'ident') continue;
    variables.set(name, (declKind.value.type && typeOf(declKind.value.type)) ?? CEL.dyn);
  }
  return { variables, types, container: original.container };
}

/** Why a case does not pass. */
function failureOf(
  test: IncrementalTest,
  root: CelNode | undefined,
  first: string | undefined,
): string | undefined {
  const { original } = test;
  const matcher = original.resultMatcher;
  if (root === undefined || (first !== undefined && !original.disableCheck)) {
    return matcher.case === 'evalError' ? undefined : `mistake: ${first}`;
  }
  const values: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(original.bindings)) {
    values[name] = kind.case === 'value' ? valueOf(kind.value) : undefined;
  }
  const compiled = compiledOf(original.expr, root, scopeOf(test));
  if (matcher.case === 'typedResult' && matcher.value.deducedType !== undefined) {
    const wanted = typeOf(matcher.value.deducedType);
    const given = formatCelType(compiled.type);
    if (wanted === undefined || formatCelType(wanted) !== given) {
      return `type ${given}, not ${wanted && formatCelType(wanted)}`;
    }
  }
  if (original.checkOnly) return undefined;
  const value = compiled.evaluate(values);
  if (matcher.case === 'evalError')
    return isCelError(value) ? undefined : `${shown(value)}, not an error`;
  let wanted: unknown = true;
  if (matcher.case === 'value') wanted = valueOf(matcher.value);
  else if (matcher.case === 'typedResult')
    wanted = matcher.value.result && valueOf(matcher.value.result);
  else if (matcher.case !== undefined) return `unknown matcher ${matcher.case}`;
  return sameValue(value, wanted) ? undefined : `${shown(value)}, not ${shown(wanted)}`;
}

function shown(value: unknown): string {
  if (isCelError(value)) return `error: ${value.message}: ${String(value.cause)}`;
  return (
    JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)) ??
    'undefined'
  );
}
