import { Code, type Mistakes, shownValue } from '@apix/contracts';
import {
  nearestName,
  DURATION,
  duration,
  finiteNumber,
  type FilledOption,
  type Option,
  type OptionTable,
  readOptions,
  withDefault,
} from '@apix/contracts/internal';
import type { MethodConfig } from '@grpc/grpc-js';
import { durationText } from './duration-text.js';
import type { FailureCode, HedgeOptions, RetryLimits, RetryOptions } from './retry-options.js';

type RetryPolicy = NonNullable<MethodConfig['retryPolicy']>;
type HedgingPolicy = NonNullable<MethodConfig['hedgingPolicy']>;

/** Statuses that a call can end with, but OK. */
const FAILURES = Object.keys(Code).filter((name) => name !== 'OK' && Number.isNaN(Number(name)));
const ON_DEFAULT: readonly FailureCode[] = ['UNAVAILABLE'];

const PAUSE = duration({ min: 1 });

const attempts = (limits: RetryLimits): Option<number> => ({
  schema: undefined,
  read: (value, at, mistakes) => attemptsOf(at, value, limits, mistakes),
});

const ON = withDefault<readonly string[]>(
  { schema: undefined, read: (value, at, mistakes) => codesOf(at, value, mistakes) },
  ON_DEFAULT,
);

const DELAY: FilledOption<number> = {
  ...withDefault(DURATION, 0),
  absent(at, mistakes) {
    mistakes.add(at, 'missing; set it to how long an answer usually takes at most');
    return 0;
  },
};

const retryOptions = (limits: RetryLimits) =>
  ({
    attempts: withDefault(attempts(limits), 4),
    initialBackoff: withDefault(PAUSE, 100),
    // Its default depends on initialBackoff.
    maxBackoff: PAUSE,
    multiplier: withDefault(finiteNumber({ min: 1 }), 2),
    on: ON,
  }) satisfies OptionTable<RetryOptions>;

const hedgeOptions = (limits: RetryLimits) =>
  ({
    delay: DELAY,
    attempts: withDefault(attempts(limits), 2),
    on: ON,
  }) satisfies OptionTable<HedgeOptions>;

/** The policy of a service config. Notes every mistake. */
export function retryPolicy(
  where: string,
  given: RetryOptions,
  limits: RetryLimits,
  mistakes: Mistakes,
): RetryPolicy {
  const read = readOptions(retryOptions(limits), given, where, mistakes);
  const { initialBackoff, maxBackoff = Math.max(1_000, initialBackoff) } = read;
  if (initialBackoff > maxBackoff) {
    // grpc-js bounds every pause but the first.
    mistakes.add(`${where}.initialBackoff`, `must not be longer than maxBackoff`);
  }
  return {
    maxAttempts: read.attempts,
    initialBackoff: durationText(initialBackoff),
    maxBackoff: durationText(maxBackoff),
    backoffMultiplier: read.multiplier,
    retryableStatusCodes: [...read.on],
  };
}

/** The policy of a service config. Notes every mistake. */
export function hedgingPolicy(
  where: string,
  given: HedgeOptions,
  limits: RetryLimits,
  mistakes: Mistakes,
): HedgingPolicy {
  const read = readOptions(hedgeOptions(limits), given, where, mistakes);
  return {
    maxAttempts: read.attempts,
    hedgingDelay: durationText(read.delay),
    nonFatalStatusCodes: [...read.on],
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
