import { Code, type Mistakes, nearestName, shownValue } from '@apix/contracts';
import { refuseUnknown } from '@apix/contracts/options';
import type { MethodConfig } from '@grpc/grpc-js';
import { durationText } from './duration-text.js';
import type { FailureCode, HedgeOptions, RetryLimits, RetryOptions } from './retry-options.js';

type RetryPolicy = NonNullable<MethodConfig['retryPolicy']>;
type HedgingPolicy = NonNullable<MethodConfig['hedgingPolicy']>;

const RETRY_NAMES: readonly (keyof RetryOptions)[] = [
  'attempts',
  'initialBackoff',
  'maxBackoff',
  'multiplier',
  'on',
];
const HEDGE_NAMES: readonly (keyof HedgeOptions)[] = ['delay', 'attempts', 'on'];

/** Statuses that a call can end with, but OK. */
const FAILURES = Object.keys(Code).filter((name) => name !== 'OK' && Number.isNaN(Number(name)));
const ON_DEFAULT: readonly FailureCode[] = ['UNAVAILABLE'];

/** The policy of a service config. Notes every mistake. */
export function retryPolicy(
  where: string,
  given: RetryOptions,
  limits: RetryLimits,
  mistakes: Mistakes,
): RetryPolicy {
  refuseUnknown({ ...given }, RETRY_NAMES, where, mistakes);
  const { attempts = 4, initialBackoff = '100ms', multiplier = 2, on = ON_DEFAULT } = given;
  const initialMs = mistakes.duration(`${where}.initialBackoff`, initialBackoff, { min: 1 });
  const maxBackoff = given.maxBackoff ?? Math.max(1_000, initialMs);
  const maxMs = mistakes.duration(`${where}.maxBackoff`, maxBackoff, { min: 1 });
  if (initialMs > maxMs) {
    // grpc-js bounds every pause but the first.
    mistakes.add(`${where}.initialBackoff`, `must not be longer than maxBackoff`);
  }
  return {
    maxAttempts: attemptsOf(`${where}.attempts`, attempts, limits, mistakes),
    initialBackoff: durationText(initialMs),
    maxBackoff: durationText(maxMs),
    backoffMultiplier: mistakes.number(`${where}.multiplier`, multiplier, { min: 1 }),
    retryableStatusCodes: codesOf(`${where}.on`, on, mistakes),
  };
}

/** The policy of a service config. Notes every mistake. */
export function hedgingPolicy(
  where: string,
  given: HedgeOptions,
  limits: RetryLimits,
  mistakes: Mistakes,
): HedgingPolicy {
  refuseUnknown({ ...given }, HEDGE_NAMES, where, mistakes);
  const { delay, attempts = 2, on = ON_DEFAULT } = given;
  if (delay === undefined) {
    mistakes.add(`${where}.delay`, 'missing; set it to how long an answer usually takes at most');
  }
  return {
    maxAttempts: attemptsOf(`${where}.attempts`, attempts, limits, mistakes),
    hedgingDelay: durationText(mistakes.duration(`${where}.delay`, delay ?? 0)),
    nonFatalStatusCodes: codesOf(`${where}.on`, on, mistakes),
  };
}

/** How often a call is made at most. Notes a number that grpc-js would refuse or cut. */
export function attemptsOf(
  where: string,
  attempts: unknown,
  { maxAttempts }: RetryLimits,
  mistakes: Mistakes,
): number {
  if (!Number.isSafeInteger(attempts) || (attempts as number) < 2) {
    mistakes.add(where, `must be an integer of at least 2, not ${shownValue(attempts)}`);
    return 2;
  }
  if ((attempts as number) > maxAttempts) {
    mistakes.add(
      where,
      `grpc-js makes at most ${maxAttempts} attempts, not ${String(attempts)}; lower it, or raise ` +
        'grpc-node.retry_max_attempts_limit of channelOptions',
    );
  }
  return attempts as number;
}

/** Names of statuses. Records unknown ones as mistakes. */
export function codesOf(where: string, codes: unknown, mistakes: Mistakes): string[] {
  if (!Array.isArray(codes) || codes.length === 0) {
    mistakes.add(where, `must be an array of statuses such as ["UNAVAILABLE"]`);
    return [...ON_DEFAULT];
  }
  return codes.map((code: unknown, place) => {
    if (!FAILURES.includes(code as string)) {
      const meant = typeof code === 'string' ? nearestName(code, FAILURES) : undefined;
      const hint = meant === undefined ? 'use one such as UNAVAILABLE' : `did you mean ${meant}?`;
      mistakes.add(
        `${where}[${place}]`,
        `${shownValue(code)} is not the status of a failed call; ${hint}`,
      );
    }
    return String(code);
  });
}
