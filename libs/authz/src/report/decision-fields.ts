import { thrownText } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import type { Decision } from '../decide/decision.js';
import { describePolicy } from './policy-texts.js';

/** Of the text of an error, in UTF-16 units: callers can influence it. */
const MOST_TEXT = 200;

/** What a log says about a decision. A field that does not apply is not there. */
export type DecisionFields = {
  /** The id of the caller. */
  readonly subject?: string;
  /** Why the call was denied: the `reason` of the decision, such as `roles`. */
  readonly denied?: string;
  /** Instead of `denied` in shadow mode, in which the call went through. */
  readonly would_deny?: string;
  /** What the policy requires, in the words of `apix-authz report`. */
  readonly requires?: string;
  /** The id of the condition that has denied the call. */
  readonly condition?: string;
  /** The hidden field that the request names. */
  readonly hidden_field?: string;
  /** The text of the error, cut to 200 characters, if the caller could not be found out or a condition not be evaluated. */
  readonly cause?: string;
};

/**
 * The fields of a request's event that say who called, and why a call was denied. They are for operators: the caller of
 * a denied call gets none of them. Pass them to the log in `onDecision`.
 */
// Why: docs/decisions/0539
export function decisionFields(decision: Decision): DecisionFields {
  const id: unknown = decision.subject?.id;
  const who = typeof id === 'string' ? { subject: id } : {};
  return decision.allowed ? who : { ...who, ...denialFields(decision) };
}

function denialFields(denial: Extract<Decision, { readonly allowed: false }>): DecisionFields {
  const { reason, requirement, condition, field, error, shadow } = denial;
  const isFailure = reason === 'subject_error' || reason === 'condition_error';
  return {
    ...(shadow ? { would_deny: reason } : { denied: reason }),
    ...(requirement && { requires: describePolicy(requirement) }),
    ...(condition !== undefined && { condition }),
    ...(field !== undefined && { hidden_field: field }),
    ...(isFailure && { cause: cutText(thrownText(error.cause ?? error), MOST_TEXT) }),
  };
}
