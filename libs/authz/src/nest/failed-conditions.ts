import { Logger } from '@nestjs/common';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import type { Decision, DecisionObserver } from '../decide/decision.js';

/**
 * Logs the first time that each condition could not be evaluated, and that each list was not filtered: a mistake of the
 * app's, or of its data, that its callers do not learn of. Each decision is passed on.
 */
export function logFailures({
  onDecision,
  conditions,
}: AuthorizerOptions): Pick<AuthorizerOptions, 'onDecision'> {
  const isWrong = onDecision !== undefined && typeof onDecision !== 'function';
  if (conditions === undefined || isWrong) return {};
  const logger = new Logger('AuthzModule');
  const logged = new Set<string>();
  const observer: DecisionObserver = (decision, call) => {
    if (!decision.allowed && isFailure(decision)) {
      const key = `${decision.method} ${decision.condition ?? ''} ${decision.reason}`;
      if (!logged.has(key)) {
        logged.add(key);
        logger.error(decision.error.cause);
      }
    }
    return onDecision?.(decision, call);
  };
  return { onDecision: observer };
}

function isFailure({ reason, condition }: Extract<Decision, { readonly allowed: false }>): boolean {
  if (reason === 'no_filter') return true;
  return condition !== undefined && (reason === 'condition_error' || reason === 'no_request');
}
