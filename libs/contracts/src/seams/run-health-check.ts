import { shownValue } from '../shown-value.js';
import { thrownError } from '../thrown-text.js';
import type { IndicatorStatus } from './health-answer.js';
import type { HealthCheck } from './health-source.js';

/**
 * Runs a check. Every reader of health does it by this function, so that all of them judge an answer alike.
 *
 * @throws what the check threw; an Error if its answer means that it is not well, or is none of
 *   `HealthAnswer`.
 */
export async function runHealthCheck(check: HealthCheck, signal: AbortSignal): Promise<void> {
  const answer: unknown = await check.check(signal);
  if (answer === undefined || answer === true) return;
  if (answer === false) throw new Error('the check returned false');
  if (answer instanceof Error) throw thrownError(answer);
  const indicators = indicatorsIn(answer);
  if (indicators === null) {
    throw new TypeError(
      'a check must return nothing, true, false or a result of @nestjs/terminus, and throw if it fails; ' +
        `this one returned ${shownValue(answer)}`,
    );
  }
  const failures = indicators.flatMap(([key, status]) => failureOf(key, status) ?? []);
  if (failures.length > 0) throw new Error(failures.join('; '));
}

/** The keys of a terminus result; null for any other value. */
function indicatorsIn(answer: unknown): readonly [string, IndicatorStatus][] | null {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return null;
  const entries = Object.entries(isWholeResult(answer) ? answer.details : answer);
  return entries.length > 0 && entries.every(hasStatus) ? entries : null;
}

/** Whether it is what `HealthCheckService.check()` resolves with; that rejects unless all are up. */
function isWholeResult(answer: object): answer is { readonly details: object } {
  const { status, details } = answer as Readonly<Record<string, unknown>>;
  return status === 'ok' && typeof details === 'object' && details !== null;
}

function hasStatus(entry: [string, unknown]): entry is [string, IndicatorStatus] {
  const [, value] = entry;
  if (typeof value !== 'object' || value === null) return false;
  return typeof (value as { readonly status?: unknown }).status === 'string';
}

/** Why an indicator is not well, by its own message if it has one; null if it is well. */
function failureOf(key: string, { status, message }: IndicatorStatus): string | null {
  switch (status) {
    case 'up':
    case 'degraded':
      return null;
    case 'down':
      return typeof message === 'string' && message !== '' ? message : `${key} is down`;
    default:
      return `${key} has the unknown status ${shownValue(status)}`;
  }
}
