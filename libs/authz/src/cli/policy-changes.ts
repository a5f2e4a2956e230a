import { isDeepStrictEqual } from 'node:util';
import type { PolicyView } from '@apix/contracts';
import type { ConditionMeaning } from '../conditions/method-conditions.js';
import type { Authorizer } from '../decide/authorizer.js';
import { nameOfField } from '../fields/field-visibility.js';
import { type PossibleCaller, gained } from '../policy/access-change.js';
import { describeCaller } from '../report/explanation-lines.js';
import { audienceText, policyText } from '../report/policy-texts.js';

/** The change of one method, of who sees a field, or of a case. */
export interface MethodChange {
  readonly method: string;
  /** The file, and which case of it. Undefined: it is about all calls. */
  readonly case?: string;
  /** Null: it did not exist. */
  readonly before: string | null;
  /** Null: it is gone. */
  readonly after: string | null;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/** Every method and field for which something has changed. */
export function changesBetween(before: Authorizer, after: Authorizer): MethodChange[] {
  return [...methodChanges(before, after), ...fieldChanges(before, after)];
}

/** Fields of messages that are in both sets; those of new messages come with their methods. */
function fieldChanges(before: Authorizer, after: Authorizer): MethodChange[] {
  const named = [...before.fields.all, ...after.fields.all].map(({ field }) => nameOfField(field));
  return [...new Set(named)].flatMap((field) => {
    const [old, now] = [before, after].map((each) => each.fields.audienceOf(field));
    const change: MethodChange = {
      method: field,
      before: old === undefined ? null : audienceText(before, field),
      after: now === undefined ? null : audienceText(after, field),
      gained: [...gained(old, now).map(callersLike), ...freedOfField(old, now)],
      lost: [...gained(now, old).map(callersLike), ...freedOfField(now, old)],
    };
    return change.before === change.after ? [] : [change];
  });
}

function methodChanges(before: Authorizer, after: Authorizer): MethodChange[] {
  const methods = [...new Set([...before.methods.names(), ...after.methods.names()])];
  return methods.flatMap((method) => {
    const [old, now] = [before.policyOf(method), after.policyOf(method)];
    const change: MethodChange = {
      method,
      before: old === undefined ? null : policyText(before, method),
      after: now === undefined ? null : policyText(after, method),
      gained: [
        ...gained(old, now).map(callersLike),
        ...freed(before, after, method),
        ...shown(before, after, method),
      ],
      lost: [
        ...gained(now, old).map(callersLike),
        ...freed(after, before, method),
        ...shown(after, before, method),
      ],
    };
    const same = change.before === change.after && change.gained.length + change.lost.length === 0;
    return same ? [] : [change];
  });
}

/** Those whom a condition of `before` refused, and none of `after` does. */
function freed(before: Authorizer, after: Authorizer, method: string): string[] {
  const now = after.methods.policyOf(method);
  if (now === undefined || (now.kind === 'unannotated' && !now.allowed)) return [];
  const kept = after.methods.conditionsOf(method).map(meaningOf);
  return before.methods
    .conditionsOf(method)
    .filter((each) => !kept.some((other) => isDeepStrictEqual(other, meaningOf(each))))
    .map(refusedBy);
}

/** As {@link freed}, of fields, which use no definitions. */
function freedOfField(before: PolicyView | undefined, after: PolicyView | undefined): string[] {
  if (before?.kind !== 'protected' || after === undefined) return [];
  const kept = after.kind === 'protected' ? (after.conditions ?? []) : [];
  if (after.kind === 'unannotated' && !after.allowed) return [];
  return (before.conditions ?? [])
    .filter(({ expression }) => !kept.some((each) => each.expression === expression))
    .map(refusedBy);
}

/** Whatever its id is. */
function meaningOf(condition: ConditionMeaning): ConditionMeaning {
  return { ...condition, id: '' };
}

function refusedBy({ id }: { readonly id: string }): string {
  return `callers that the condition ${id} refused`;
}

/** Records that the list of `before` may have left out, and that of `after` may show. */
function shown(before: Authorizer, after: Authorizer, method: string): string[] {
  const lists = before.methods.listsOf(method);
  if (lists === undefined || !after.methods.has(method)) return [];
  if (isDeepStrictEqual(lists, after.methods.listsOf(method))) return [];
  return [`records of ${lists.type} that the list did not show by ${lists.where}`];
}

/** An example represents all callers that have its values. */
function callersLike(caller: PossibleCaller): string {
  return caller === null ? 'anonymous callers' : describeCaller(caller);
}
