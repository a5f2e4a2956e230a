import { Code } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import type { MethodConditions } from '../conditions/method-conditions.js';
import type { MethodLists } from '../conditions/method-lists.js';
import type { MethodPolicy } from '../policy/policy-book.js';
import { describeFinding, findings } from '../policy/explain.js';
import type { Requirement } from '../policy/requirement.js';
import { type Evaluate, verdictOf } from '../policy/compile-requirement.js';
import type { Subject } from '../subject/subject.js';
import type { DenyReason, AllowReason } from './decision.js';

/** The reason why calls are refused, and the text for their callers: the same for every refused call. */
export interface Refusal {
  readonly reason: DenyReason;
  readonly code: Code;
  readonly message: string;
}

/** The caller did not say who it is. HTTP 401. */
const ANONYMOUS: Refusal = {
  reason: 'anonymous',
  code: Code.UNAUTHENTICATED,
  message: 'credentials are missing',
};

/** The caller is known and may not do this. HTTP 403. */
function permissionDenied(reason: DenyReason, message: string): Refusal {
  return { reason, code: Code.PERMISSION_DENIED, message };
}

const UNANNOTATED = permissionDenied('unannotated', 'no one may call this method');
const ROLES = permissionDenied('roles', 'permission denied');
const PERMISSIONS = permissionDenied('permissions', 'permission denied');

/** Why anyone may call a method. */
export type OpenReason = Exclude<AllowReason, 'passed'>;

/** What is known of a method without looking at the caller. */
export type Standing =
  | { readonly kind: 'open'; readonly reason: OpenReason }
  | { readonly kind: 'closed'; readonly refusal: Refusal }
  | ProtectedStanding;

/** What a decision reads of a policy lies together here: a decision takes less time than a look at memory. */
export interface ProtectedStanding {
  readonly kind: 'protected';
  readonly evaluate: Evaluate;
  readonly conditions: MethodConditions | undefined;
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

/** The conditions that a call has to meet after the rules; undefined: none. */
export function conditionsOf(standing: Standing): MethodConditions | undefined {
  return standing.kind === 'protected' ? standing.conditions : undefined;
}

/** The records that a method lists; undefined: it lists none. */
export function listsOf(standing: Standing): MethodLists | undefined {
  return standing.kind === 'protected' ? standing.lists : undefined;
}

/** Null when the subject may call the protected method. Makes nothing, unless reasons are exposed. */
export function refusalOf(
  { evaluate, policy }: ProtectedStanding,
  subject: Subject | null,
  exposeReasons: boolean,
): Refusal | null {
  if (subject === null) return ANONYMOUS;
  const failed = verdictOf(evaluate, subject);
  if (failed === undefined) return null;
  if (exposeReasons) return explained(failed, policy.requirement!, subject);
  // Not read from an object by its key: V8 looks up a key that varies in its megamorphic cache.
  return failed === 'roles' ? ROLES : PERMISSIONS;
}

function explained(failed: DenyReason, requirement: Requirement, subject: Subject): Refusal {
  const why = findings(requirement, subject)
    .filter(({ passed }) => !passed)
    .map(describeFinding)
    .join('; ');
  return permissionDenied(failed, `permission denied: ${why}`);
}

/** A method name that a caller chose, short enough for a message. */
function quoted(name: string): string {
  return JSON.stringify(cutText(name, 120));
}
