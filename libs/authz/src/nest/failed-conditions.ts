import { Logger } from '@nestjs/common';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import type { DecisionObserver } from '../decide/decision.js';

/**
 * Logs the first time that each condition could not be evaluated: a mistake of the app's, or of its data, that its
 * callers do not learn of. Each decision is passed on.
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
    if (!decision.allowed && isFailure(decision.reason) && decision.condition !== undefined) {
      const key = `${decision.method} ${decision.condition} ${decision.reason}`;
      if (!logged.has(key)) {
        logged.add(key);
        logger.error(decision.error.cause);
      }
    }
    return onDecision?.(decision, call);
  };
  return { onDecision: observer };
}

function isFailure(reason: string): boolean {
  return reason === 'condition_error' || reason === 'no_request';
}
