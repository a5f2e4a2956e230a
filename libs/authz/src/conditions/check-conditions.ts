import type { Message } from '@bufbuild/protobuf';
import { isCelError } from '../cel/cel-error.js';
import type { CelValues } from '../cel/cel-scope.js';
import type { Subject } from '../subject/subject.js';
import type { CompiledCondition, MethodConditions } from './method-conditions.js';

/** A condition that a call does not meet. */
export interface UnmetCondition {
  readonly condition: CompiledCondition;
  /** Why it could not be evaluated; undefined: it is false. */
  readonly failure?: unknown;
}

/** What the expressions of a method read. */
export interface ConditionFacts {
  /** Undefined: not known yet. */
  readonly request: Message | undefined;
  readonly subject: Subject;
  /** Undefined: not loaded, or there is none. */
  readonly resource?: Message | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The values of what expressions may read of a caller and its call. Throws what getters of the subject throw. */
export function callerValues(subject: Subject, method: string): Record<string, unknown> {
  const { id, roles, permissions, claims } = subject;
  const values: Record<string, unknown> = {
    method,
    'subject.roles': roles,
    'subject.permissions': permissions,
    'subject.claims': claims ?? {},
  };
  // A name without a value is an error where it is read: a caller without an id owns nothing.
  if (typeof id === 'string') values['subject.id'] = id;
  return values;
}

/** The values of the names in expressions. */
export function valuesOf(
  { method, readsNow }: Pick<MethodConditions, 'method' | 'readsNow'>,
  { request, subject, resource, now }: ConditionFacts,
): CelValues {
  const values = callerValues(subject, method);
  if (request !== undefined) values['request'] = request;
  if (resource !== undefined) values['resource'] = resource;
  if (readsNow) values['now'] = new Date(now);
  return values;
}

/** The first condition among these that is not true; undefined: all are met. */
export function firstUnmet(
  conditions: readonly CompiledCondition[],
  values: CelValues,
): UnmetCondition | undefined {
  for (const condition of conditions) {
    const result = condition.compiled.evaluate(values);
    if (result === true) continue;
    return isCelError(result)
      ? {
          condition,
          failure: new Error(`authz: condition "${condition.id}": ${result.message}`, {
            cause: result.cause,
          }),
        }
      : { condition };
  }
  return undefined;
}
