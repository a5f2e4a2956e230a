import { type Mistakes, shownValue } from '@apix/contracts';
import { finiteNumber } from '@apix/contracts/internal';
import type { MethodConfig } from '@grpc/grpc-js';
import { durationParts } from './duration-text.js';
import { type JsonMembers, jsonMembersOf, refuseOthers } from './raw-object.js';
import type { RetryLimits } from './retry-options.js';
import { attemptsOf, codesOf } from './retry-policy.js';

type RetryPolicy = NonNullable<MethodConfig['retryPolicy']>;
type HedgingPolicy = NonNullable<MethodConfig['hedgingPolicy']>;

const MULTIPLIER = finiteNumber({ min: Number.MIN_VALUE });
const SECONDS = finiteNumber({ min: 0 });
const NANOS = finiteNumber({ min: 0, max: 999_999_999 });

/** An entry of `methodConfig`. Notes every mistake. */
export function rawMethodConfig(
  where: string,
  given: unknown,
  limits: RetryLimits,
  mistakes: Mistakes,
): MethodConfig {
  const raw = jsonMembersOf(where, given, mistakes);
  const { name, timeout, retryPolicy, hedgingPolicy, ...others } = raw;
  if ('waitForReady' in others) {
    mistakes.add(`${where}.waitForReady`, 'grpc-js ignores it; use the option waitForReady');
  }
  refuseOthers(where, others, ['waitForReady'], 'grpc-js ignores it', mistakes);
  if (retryPolicy !== undefined && hedgingPolicy !== undefined) {
    mistakes.add(where, 'use only one of retryPolicy and hedgingPolicy');
  }
  return {
    name: namesOf(`${where}.name`, name, mistakes),
    ...(timeout !== undefined && {
      // grpc-js takes the digits after the point for nanoseconds: "0.5s" would be no time at all.
      timeout: durationParts(msOf(`${where}.timeout`, timeout, mistakes)),
    }),
    ...(retryPolicy !== undefined && {
      retryPolicy: rawRetry(`${where}.retryPolicy`, retryPolicy, limits, mistakes),
    }),
    ...(hedgingPolicy !== undefined && {
      hedgingPolicy: rawHedging(`${where}.hedgingPolicy`, hedgingPolicy, limits, mistakes),
    }),
  };
}

function rawRetry(
  where: string,
  given: unknown,
  limits: RetryLimits,
  mistakes: Mistakes,
): RetryPolicy {
  const raw = jsonMembersOf(where, given, mistakes);
  const { maxAttempts, initialBackoff, maxBackoff, backoffMultiplier, retryableStatusCodes } = raw;
  const known = [
    'maxAttempts',
    'initialBackoff',
    'maxBackoff',
    'backoffMultiplier',
    'retryableStatusCodes',
  ];
  refuseOthers(where, raw, known, 'grpc-js ignores it', mistakes);
  return {
    maxAttempts: attemptsOf(`${where}.maxAttempts`, maxAttempts, limits, mistakes),
    initialBackoff: textOf(`${where}.initialBackoff`, initialBackoff, mistakes),
    maxBackoff: textOf(`${where}.maxBackoff`, maxBackoff, mistakes),
    backoffMultiplier:
      MULTIPLIER.read(backoffMultiplier, `${where}.backoffMultiplier`, mistakes) ?? 1,
    retryableStatusCodes: codesOf(`${where}.retryableStatusCodes`, retryableStatusCodes, mistakes),
  };
}

function rawHedging(
  where: string,
  given: unknown,
  limits: RetryLimits,
  mistakes: Mistakes,
): HedgingPolicy {
  const raw = jsonMembersOf(where, given, mistakes);
  const { maxAttempts, hedgingDelay, nonFatalStatusCodes } = raw;
  const known = ['maxAttempts', 'hedgingDelay', 'nonFatalStatusCodes'];
  refuseOthers(where, raw, known, 'grpc-js ignores it', mistakes);
  return {
    maxAttempts: attemptsOf(`${where}.maxAttempts`, maxAttempts, limits, mistakes),
    ...(hedgingDelay !== undefined && {
      hedgingDelay: textOf(`${where}.hedgingDelay`, hedgingDelay, mistakes),
    }),
    ...(nonFatalStatusCodes !== undefined && {
      nonFatalStatusCodes: codesOf(`${where}.nonFatalStatusCodes`, nonFatalStatusCodes, mistakes),
    }),
  };
}

function namesOf(where: string, given: unknown, mistakes: Mistakes): MethodConfig['name'] {
  if (!Array.isArray(given) || given.length === 0) {
    mistakes.add(where, 'must be an array of { service, method }');
    return [];
  }
  return given.map((each: unknown, place) => {
    const own = `${where}[${place}]`;
    const { service = '', method = '', ...others } = jsonMembersOf(own, each, mistakes);
    refuseOthers(own, others, [], 'grpc-js ignores it', mistakes);
    if (typeof service !== 'string' || typeof method !== 'string') {
      mistakes.add(own, 'service and method must be strings');
      return {};
    }
    if (service === '' && method !== '') {
      mistakes.add(own, `method ${shownValue(method)} needs its service`);
    }
    // An empty method next to a service would be taken for one of that name.
    return service === '' ? {} : method === '' ? { service } : { service, method };
  });
}

/** google.protobuf.Duration as JSON. */
const DURATION = /^\d+(?:\.\d{1,9})?s$/;

function textOf(where: string, given: unknown, mistakes: Mistakes): string {
  if (typeof given === 'string' && DURATION.test(given) && parseFloat(given) > 0) return given;
  mistakes.add(where, `must be a duration such as "0.1s", not ${shownValue(given)}`);
  return '1s';
}

function msOf(where: string, given: unknown, mistakes: Mistakes): number {
  if (typeof given !== 'object' || given === null) {
    return parseFloat(textOf(where, given, mistakes)) * 1_000;
  }
  const { seconds = 0, nanos = 0 } = given as JsonMembers;
  return (
    (SECONDS.read(seconds, `${where}.seconds`, mistakes) ?? 0) * 1_000 +
    (NANOS.read(nanos, `${where}.nanos`, mistakes) ?? 0) / 1_000_000
  );
}
