import { type StatusError, cutText } from '@apix/contracts';
import { permissionDenied, unauthenticated } from '../errors.js';
import type { MethodPolicy } from '../policy/policy-book.js';
import { describeFinding, findings } from '../policy/explain.js';
import type { Subject } from '../subject/subject.js';
import type { AllowReason, DenyReason } from './decision.js';

/** What can be said of a method without looking at the caller. */
export type Standing =
  | { readonly kind: 'open'; readonly reason: AllowReason }
  | { readonly kind: 'closed'; readonly reason: DenyReason; readonly error: StatusError }
  | { readonly kind: 'protected'; readonly policy: MethodPolicy };

/** Sorts a method into open, closed or protected. */
export function standingOf(
  policy: MethodPolicy | undefined,
  fullName: string,
  exempt: boolean,
  unannotated: 'allow' | 'deny',
): Standing {
  if (policy?.requirement?.kind === 'public') return { kind: 'open', reason: 'public' };
  if (policy?.requirement !== undefined) return { kind: 'protected', policy };
  if (exempt) return { kind: 'open', reason: 'exempt' };
  if (policy === undefined) {
    const error = permissionDenied(`${quoted(fullName)} is not a method of this service`);
    return { kind: 'closed', reason: 'unknown_method', error };
  }
  if (unannotated === 'allow') return { kind: 'open', reason: 'unannotated' };
  const error = permissionDenied('no one may call this method');
  return { kind: 'closed', reason: 'unannotated', error };
}

/**
 * The standing of a call of which nobody can tell who makes it: what anyone may call stays open, and
 * what has a policy is closed, whatever the subject function would say.
 *
 * @param why what the caller is told.
 */
export function unreadableCaller(standing: Standing, why: string): Standing {
  if (standing.kind !== 'protected') return standing;
  return { kind: 'closed', reason: 'unknown_door', error: permissionDenied(why) };
}

/** A refusal of one subject. */
export interface RefusedDecision {
  readonly reason: DenyReason;
  readonly error: StatusError;
}

/** Null when the subject may call the protected method. */
export function refusalOf(
  { requirement, evaluate }: MethodPolicy,
  subject: Subject | null,
  exposeReasons: boolean,
): RefusedDecision | null {
  if (subject === null) {
    return { reason: 'anonymous', error: unauthenticated('credentials are missing') };
  }
  const failed = evaluate!(subject);
  if (failed === undefined) return null;
  const why = exposeReasons
    ? findings(requirement!, subject)
        .filter(({ passed }) => !passed)
        .map(describeFinding)
        .join('; ')
    : '';
  return { reason: failed, error: permissionDenied(`permission denied${why && `: ${why}`}`) };
}

/** A method name that a caller chose, short enough for a message. */
function quoted(name: string): string {
  return JSON.stringify(cutText(name, 120));
}
