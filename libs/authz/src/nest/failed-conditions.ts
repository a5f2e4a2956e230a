import { Logger } from '@nestjs/common';
import type { Decision, DecisionObserver } from '../decide/decision.js';

/**
 * Logs the first time that each condition could not be evaluated, and that each list was not filtered: a mistake of the
 * app's, or of its data, that its callers do not learn of.
 *
 * @returns what is to be called for each denial.
 */
export function failureLog(): DecisionObserver {
  const logger = new Logger('AuthzModule');
  const logged = new Set<string>();
  return (decision) => {
    if (decision.allowed || !isFailure(decision)) return;
    const key = `${decision.method} ${decision.condition ?? ''} ${decision.reason}`;
    if (logged.has(key)) return;
    logged.add(key);
    logger.error(decision.error.cause);
  };
}

function isFailure({ reason, condition }: Extract<Decision, { readonly allowed: false }>): boolean {
  if (reason === 'no_filter') return true;
  return condition !== undefined && (reason === 'condition_error' || reason === 'no_request');
}
