import { Code } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import type { MethodConditions } from '../conditions/method-conditions.js';
import type { MethodLists } from '../conditions/method-lists.js';
import type { MethodPolicy } from '../policy/policy-book.js';
import type { Evaluate } from '../policy/compile-requirement.js';
import type { DenyReason, AllowReason } from './decision.js';

/** The reason why calls are refused, and the text for their callers: the same for every refused call. */
export interface Refusal {
  readonly reason: DenyReason;
  readonly code: Code;
  readonly message: string;
}

/** The caller is known and may not do this. HTTP 403. */
export function permissionDenied(reason: DenyReason, message: string): Refusal {
  return { reason, code: Code.PERMISSION_DENIED, message };
}

const UNANNOTATED = permissionDenied('unannotated', 'no one may call this method');

/** Why anyone may call a method. */
export type OpenReason = Exclude<AllowReason, 'passed'>;

/** What is known of a method without looking at the caller. */
export type Standing =
  | ({ readonly kind: 'open'; readonly reason: OpenReason } & NothingToDecide)
  | ({ readonly kind: 'closed'; readonly refusal: Refusal } & NothingToDecide)
  | ProtectedStanding;

interface NothingToDecide {
  readonly conditions?: undefined;
  readonly lists?: undefined;
}

/** What a decision reads of a policy lies together here: a decision takes less time than a look at memory. */
export interface ProtectedStanding {
  readonly kind: 'protected';
  readonly evaluate: Evaluate;
  /** What a call has to meet after the rules; undefined: nothing. */
  readonly conditions: MethodConditions | undefined;
  /** The records that the method lists; undefined: none. */
  readonly lists: MethodLists | undefined;
  readonly policy: MethodPolicy;
}

/** Sorts a method into open, closed or protected. */
export function standingOf(
  policy: MethodPolicy | undefined,
  fullName: string,
  exempt: boolean,
  unannotated: 'allow' | 'deny',
): Standing {
  if (policy?.requirement?.kind === 'public') return { kind: 'open', reason: 'public' };
  if (policy?.requirement !== undefined) {
    const { evaluate, conditions, lists } = policy;
    return { kind: 'protected', evaluate: evaluate!, conditions, lists, policy };
  }
  if (exempt) return { kind: 'open', reason: 'exempt' };
  if (policy === undefined) {
    const message = `${quoted(fullName)} is not a method of this service`;
    return { kind: 'closed', refusal: permissionDenied('unknown_method', message) };
  }
  if (unannotated === 'allow') return { kind: 'open', reason: 'unannotated' };
  return { kind: 'closed', refusal: UNANNOTATED };
}

/**
 * The standing of a call whose caller cannot be determined: methods that anyone may call stay open, and
 * methods with a policy are closed, whatever the subject function would return.
 *
 * @param why the text for the caller.
 */
export function unreadableCaller(standing: Standing, why: string): Standing {
  if (standing.kind !== 'protected') return standing;
  return { kind: 'closed', refusal: permissionDenied('unknown_door', why) };
}

/** A method name that a caller chose, short enough for a message. */
function quoted(name: string): string {
  return JSON.stringify(cutText(name, 120));
}
