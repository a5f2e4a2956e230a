import { types } from 'node:util';
import type { Clock } from '@apix/contracts';
import { type DescMessage, isMessage, type Message } from '@bufbuild/protobuf';
import { firstUnmet, valuesOf } from '../conditions/check-conditions.js';
import type { CompiledCondition, MethodConditions } from '../conditions/method-conditions.js';
import type { Subject } from '../subject/subject.js';
import type { GivenRecord } from './admission.js';
import {
  absenceDenial,
  noRequest,
  noResource,
  notFoundDenial,
  unmetDenial,
  foreignRequest,
} from './condition-denial.js';
import type { Denial } from './decision.js';

/** How conditions are decided. */
export interface ConditionRules {
  readonly clock: Clock;
  readonly exposeReasons: boolean;
  /** In milliseconds. */
  readonly loaderTimeout: number;
}

/** What conditions decide about. */
export interface DecidedRecord {
  readonly subject: Subject;
  readonly request: Message;
  /** Undefined: there is none. */
  readonly resource?: Message | undefined;
}

/** Whether a value is a message of a type. A proxy is not: it may show the handler other values than conditions. */
export function isMessageOf(desc: DescMessage, value: unknown): value is Message {
  return (
    typeof value === 'object' && value !== null && !types.isProxy(value) && isMessage(value, desc)
  );
}

/** Null: these conditions are met. Throws what getters of the subject throw. */
export function decideConditions(
  conditions: MethodConditions,
  some: readonly CompiledCondition[],
  record: DecidedRecord,
  { clock, exposeReasons }: ConditionRules,
): Denial | null {
  const unmet = firstUnmet(some, valuesOf(conditions, { ...record, now: clock.now() }));
  const needing = some.find(({ readsResource }) => readsResource);
  if (needing === undefined || record.resource !== undefined) {
    return unmet === undefined ? null : unmetDenial(conditions, unmet, exposeReasons);
  }
  if (unmet === undefined) return notFoundDenial(conditions, needing);
  return unmet.condition.readsResource
    ? absenceDenial(conditions, unmet.condition, noResource(conditions), exposeReasons)
    : unmetDenial(conditions, unmet, exposeReasons);
}

/** Decides about a record that is given. Null: the conditions are met. */
export function decideRecord(
  conditions: MethodConditions,
  rules: ConditionRules,
  subject: Subject,
  record: GivenRecord | undefined,
): Denial | null {
  const { list, input, resource: declared } = conditions;
  const { exposeReasons } = rules;
  const deny = (absence: ReturnType<typeof noRequest>): Denial =>
    absenceDenial(conditions, list[0]!, absence, exposeReasons);
  try {
    if (record === undefined) return deny(noRequest());
    const { request, resource } = record;
    if (!isMessageOf(input, request)) return deny(foreignRequest());
    const isFit = resource === undefined || declared === undefined;
    if (!isFit && !isMessageOf(declared.desc, resource)) return deny(foreignRequest());
    return decideConditions(conditions, list, { subject, request, resource }, rules);
  } catch (failure) {
    return unmetDenial(conditions, { condition: list[0]!, failure }, exposeReasons);
  }
}
