import type { CompiledFilter } from '../cel/filter/compile-filter.js';
import type { CelMistake, CelScope, CompiledExpression } from '../cel/cel-scope.js';

/** Checks and compiles the expressions of conditions: what `celConditions()` of `@apix/authz/conditions` returns. */
export interface ConditionLanguage {
  /** The highest cost of an expression; one that may cost more is a mistake. */
  readonly maxCost: number;
  /** The expression ready to evaluate, or every mistake in it. */
  compile(source: string, scope: CelScope): CompiledExpression | readonly CelMistake[];
  /** The condition on `resource` as a filter of records, or every mistake in it. */
  compileFilter(source: string, scope: CelScope): CompiledFilter | readonly CelMistake[];
}
