import type { CelMistake, CelScope, CompiledExpression } from '../cel/cel-scope.js';

/** Checks and compiles the expressions of conditions: what `celConditions()` of `@apix/authz/conditions` returns. */
export interface ConditionLanguage {
  /** The highest cost of an expression; one that may cost more is a mistake. */
  readonly maxCost: number;
  /** The expression ready to evaluate, or every mistake in it. */
  compile(source: string, scope: CelScope): CompiledExpression | readonly CelMistake[];
}
