import { inspect } from 'node:util';
import { isCelError } from '../cel/cel-error.js';
import type { CelValues, CompiledExpression } from '../cel/cel-scope.js';
import { type ConditionFacts, valuesOf } from './check-conditions.js';
import type { MethodConditions } from './method-conditions.js';

/** One condition, and whether a request meets it. */
export interface ConditionFinding {
  readonly id: string;
  readonly expression: string;
  readonly met: boolean;
  /** Why it could not be evaluated. Undefined: it could. */
  readonly error?: string | undefined;
  /** The values of what it reads, in short, such as `resource.customer` and `'ada'`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Every condition of a method, met or not. */
export function conditionFindings(
  conditions: MethodConditions,
  facts: ConditionFacts,
): ConditionFinding[] {
  const values = valuesOf(conditions, facts);
  return conditions.list.map((condition) => {
    const { id, compiled } = condition;
    const result = compiled.evaluate(values);
    return {
      id,
      expression: compiled.source,
      met: result === true,
      ...(isCelError(result) && { error: result.message }),
      parts: partValues(conditions.partsOf(condition), values),
    };
  });
}

/** The values of parts of a condition, in short. */
export function partValues(
  parts: readonly CompiledExpression[],
  values: CelValues,
): Readonly<Record<string, string>> {
  return Object.fromEntries(parts.map((part) => [part.source, shown(part.evaluate(values))]));
}

/** Such as `resource.customer is 'ada'`. */
export function describeParts(parts: Readonly<Record<string, string>>): string {
  return Object.entries(parts)
    .map(([part, value]) => `${part} is ${value}`)
    .join(', ');
}

function shown(value: unknown): string {
  if (isCelError(value)) return value.message;
  return inspect(value, {
    breakLength: Infinity,
    depth: 3,
    maxArrayLength: 10,
    maxStringLength: 200,
  });
}

/** A finding in words, such as `condition owner: is not met (resource.customer is 'ada')`. */
export function describeCondition({ id, met, error, parts }: ConditionFinding): string {
  const values = describeParts(parts);
  const verdict = met ? 'is met' : error === undefined ? 'is not met' : `fails: ${error}`;
  return `condition ${id}: ${verdict}${values === '' ? '' : ` (${values})`}`;
}
