import { isCelError } from '../cel/cel-error.js';
import { type ConditionFacts, valuesOf } from '../conditions/check-conditions.js';
import type { MethodConditions } from '../conditions/method-conditions.js';
import { inspect } from 'node:util';

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
    const parts = conditions.partsOf(condition).map((part) => {
      const value = part.evaluate(values);
      return [part.source, isCelError(value) ? value.message : shown(value)] as const;
    });
    return {
      id,
      expression: compiled.source,
      met: result === true,
      ...(isCelError(result) && { error: result.message }),
      parts: Object.fromEntries(parts),
    };
  });
}

function shown(value: unknown): string {
  return inspect(value, {
    breakLength: Infinity,
    depth: 3,
    maxArrayLength: 10,
    maxStringLength: 200,
  });
}

/** A finding in words, such as `condition owner: is not met (resource.customer is 'ada')`. */
export function describeCondition({ id, met, error, parts }: ConditionFinding): string {
  const values = Object.entries(parts).map(([part, value]) => `${part} is ${value}`);
  const verdict = met ? 'is met' : error === undefined ? 'is not met' : `fails: ${error}`;
  return `condition ${id}: ${verdict}${values.length === 0 ? '' : ` (${values.join(', ')})`}`;
}
