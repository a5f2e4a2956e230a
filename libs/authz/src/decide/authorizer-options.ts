import {
  type CallContext,
  type Clock,
  type Duration,
  type Mistakes,
  shownValue,
  systemClock,
} from '@apix/contracts';
import type { Decision } from './decision.js';
import { checkSubjectFunc } from '../subject/check-subject-func.js';
import type { SubjectFunc } from '../subject/subject.js';

/** `call` is undefined for `authorize()` without a context. */
export type DecisionObserver = (decision: Decision, call: CallContext | undefined) => void;

/** The options of an Authorizer, and of AuthzModule. */
export interface AuthorizerOptions {
  /** Returns the caller's subject. Required. */
  readonly subject: SubjectFunc;
  /** How long that may take; then the call ends with DEADLINE_EXCEEDED. Default: '5s'. */
  readonly subjectTimeout?: Duration;
  /**
   * What happens to a method that neither carries nor inherits a requirement: 'allow' does not
   * check it (the rule of the spec), 'deny' refuses it. Default: 'allow'.
   */
  readonly unannotated?: 'allow' | 'deny';
  /**
   * Methods (`/pkg.Service/Method`) and services (`/pkg.Service/*`) that need no requirement under 'deny',
   * and handlers of a Nest app (`Class.method`, `Class.*`), such as those of controllers that come with a
   * library. gRPC health and reflection are always included. Default: none.
   */
  readonly exempt?: readonly string[];
  /** 'shadow' decides and reports, and lets every call through. Default: 'enforce'. */
  readonly mode?: 'enforce' | 'shadow';
  /** Called for every decision; it cannot change or fail it. Default: none. */
  readonly onDecision?: DecisionObserver;
  /** Whether the error for a denied caller names the roles and permissions that it lacks. Default: false. */
  readonly exposeReasons?: boolean;
  /** For tests of `subjectTimeout`. Default: the machine's. */
  readonly clock?: Clock;
}

export interface ResolvedAuthorizerOptions extends Required<
  Omit<AuthorizerOptions, 'subjectTimeout' | 'onDecision'>
> {
  readonly timeoutMs: number;
  readonly onDecision: DecisionObserver | undefined;
}

/** Fills in the options and records their mistakes. */
export function resolveAuthorizerOptions(
  options: AuthorizerOptions,
  mistakes: Mistakes,
): ResolvedAuthorizerOptions {
  const { subject, exempt = [], onDecision, clock = systemClock } = options;
  checkSubjectFunc('subject', subject, mistakes);
  const isList = Array.isArray(exempt) && exempt.every((entry) => typeof entry === 'string');
  if (!isList) mistakes.add('exempt', 'must be an array of strings');
  if (onDecision !== undefined && typeof onDecision !== 'function') {
    mistakes.add('onDecision', `must be a function, not ${shownValue(onDecision)}`);
  }
  if (typeof clock?.after !== 'function') {
    mistakes.add('clock', `must be a Clock, not ${shownValue(clock)}`);
  }
  return {
    subject,
    timeoutMs: mistakes.duration('subjectTimeout', options.subjectTimeout ?? '5s', { min: 1 }),
    unannotated: mistakes.choice('unannotated', options.unannotated ?? 'allow', ['allow', 'deny']),
    exempt: isList ? exempt : [],
    mode: mistakes.choice('mode', options.mode ?? 'enforce', ['enforce', 'shadow']),
    onDecision,
    exposeReasons: mistakes.flag('exposeReasons', options.exposeReasons ?? false),
    clock,
  };
}
