import type { CelMistake, CelScope, CelValues } from '../cel-scope.js';
import { compileChecked, checkedFacts, MAX_STEPS } from '../compile-expression.js';
import { formatCelType } from '../cel-type.js';
import type { CelNode } from '../check/cel-node.js';
import { mistakeAt } from '../check/parse-source.js';
import { Compiler } from '../compile/compiler.js';
import { EvaluationFrame } from '../compile/frame.js';
import { FilterPlanner } from './filter-planner.js';
import type { RecordFilter } from './record-filter.js';

/** A condition that becomes a filter of the records that a caller may see. */
export interface CompiledFilter {
  readonly source: string;
  /** Paths of the fields that filters test: a table needs a column for each. */
  readonly fields: ReadonlySet<string>;
  /** Variables that it reads, and paths of fields of them. */
  readonly reads: ReadonlySet<string>;
  /** The definitions that it uses. */
  readonly definitions: ReadonlySet<string>;
  /** The most steps that planning takes if no list or map of the values has more than 100 entries. */
  readonly cost: number;
  /** The filter for what is known: all variables but the record. Never throws; an error becomes a filter of nothing. */
  plan(values: CelValues): RecordFilter;
}

/**
 * Compiles a condition on a record, the variable `record` of the scope, to a filter. Gives all mistakes at once; what
 * no filter can say, such as arithmetic with fields, is one.
 */
export function compileFilter(
  source: string,
  scope: CelScope,
  record: string,
): CompiledFilter | readonly CelMistake[] {
  return compileChecked(source, scope, (root) => filterOf(source, root, scope, record));
}

function filterOf(
  source: string,
  root: CelNode,
  scope: CelScope,
  record: string,
): CompiledFilter | readonly CelMistake[] {
  const mistakes: CelMistake[] = [];
  // A wrapper that is null is an error, and lists nothing.
  if (root.type.kind !== 'bool' && !(root.type.kind === 'wrapper' && root.type.of === 'bool')) {
    const given = formatCelType(root.type);
    mistakes.push(mistakeAt(source, root.at, `a condition must be a bool, not ${given}`));
  }
  const planner = new FilterPlanner(new Compiler(scope), record, (at, message, definition) => {
    const text = definition === undefined ? source : (scope.definitions?.get(definition) ?? '');
    const found = mistakeAt(text, at, message);
    mistakes.push(definition === undefined ? found : { ...found, definition });
  });
  const plan = planner.plan(root, undefined);
  if (mistakes.length > 0) return mistakes;
  const { maxSteps = MAX_STEPS } = scope;
  return {
    ...checkedFacts(source, root),
    fields: planner.fields,
    plan: (values) => {
      try {
        return plan(new EvaluationFrame(values, maxSteps));
      } catch {
        return { kind: 'error' };
      }
    },
  };
}
