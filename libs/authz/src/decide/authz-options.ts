import {
  type CallContext,
  type Clock,
  type Duration,
  parseDuration,
  systemClock,
} from '@apix/contracts';
import type { Decision } from './decision.js';
import type { SubjectFunc } from '../subject/subject.js';

/** `call` is undefined for `authorize()` without a context. */
export type DecisionObserver = (decision: Decision, call: CallContext | undefined) => void;

export interface AuthzOptions {
  /** Finds out who calls. Required. */
  readonly subject: SubjectFunc;
  /** How long that may take; then the call ends with DEADLINE_EXCEEDED. Default: '5s'. */
  readonly subjectTimeout?: Duration;
  /**
   * What happens to a method that neither carries nor inherits a requirement: 'allow' does not
   * check it (the rule of the spec), 'deny' refuses it. Default: 'allow'.
   */
  readonly unannotated?: 'allow' | 'deny';
  /**
   * Methods (`/pkg.Service/Method`) and services (`/pkg.Service/*`) that need no requirement
   * under 'deny'. gRPC health and reflection always are among them. Default: none.
   */
  readonly exempt?: readonly string[];
  /** 'shadow' decides and reports, and lets every call through. Default: 'enforce'. */
  readonly mode?: 'enforce' | 'shadow';
  /** Told of every decision; what it throws is ignored. Default: nobody. */
  readonly onDecision?: DecisionObserver;
  /** Whether a denied caller is told which roles and permissions it lacks. Default: false. */
  readonly exposeReasons?: boolean;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

export interface ResolvedAuthzOptions extends Required<
  Omit<AuthzOptions, 'subjectTimeout' | 'onDecision'>
> {
  readonly timeoutMs: number;
  readonly onDecision: DecisionObserver | undefined;
}

/** Fills the options in and notes what is wrong with them. */
export function resolveAuthzOptions(
  options: AuthzOptions,
  mistakes: string[],
): ResolvedAuthzOptions {
  const { unannotated = 'allow', mode = 'enforce', exempt = [] } = options;
  if (typeof options.subject !== 'function') {
    mistakes.push('subject: a function that finds out who calls is required');
  }
  if (unannotated !== 'allow' && unannotated !== 'deny') {
    mistakes.push(`unannotated: "${String(unannotated)}" is neither "allow" nor "deny"`);
  }
  if (mode !== 'enforce' && mode !== 'shadow') {
    mistakes.push(`mode: "${String(mode)}" is neither "enforce" nor "shadow"`);
  }
  return {
    subject: options.subject,
    timeoutMs: timeout(options.subjectTimeout ?? '5s', mistakes),
    unannotated,
    exempt,
    mode,
    onDecision: options.onDecision,
    exposeReasons: options.exposeReasons ?? false,
    clock: options.clock ?? systemClock,
  };
}

function timeout(value: Duration, mistakes: string[]): number {
  try {
    return parseDuration(value);
  } catch (error) {
    mistakes.push(`subjectTimeout: ${error instanceof Error ? error.message : String(error)}`);
    return 0;
  }
}
