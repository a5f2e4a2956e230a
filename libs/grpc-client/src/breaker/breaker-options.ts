import { Code, type Duration, Mistakes } from '@apix/contracts';
import {
  choice,
  duration,
  finiteNumber,
  type Option,
  type OptionTable,
  type ReadOptions,
  readOptions,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { setupError } from '../errors.js';
import type { FailureCode } from '../service-config/retry-options.js';
import { codesOf } from '../service-config/retry-policy.js';

/** When a circuit opens, and for how long. */
export interface CircuitBreakerOptions {
  /** What has its own circuit: an endpoint, or each method of one. Default: 'endpoint'. */
  readonly per?: 'endpoint' | 'method' | undefined;
  /** How many of the last calls are looked at. Default: 20. */
  readonly window?: number | undefined;
  /** Of how many calls at least something must be known. Default: 10, or `window` if that is less. */
  readonly minCalls?: number | undefined;
  /** The circuit opens when more than this share of those calls has failed: 0 to 1. Default: 0.5. */
  readonly threshold?: number | undefined;
  /** How long calls are refused, until one is let through as a probe. Default: '10s'. */
  readonly openFor?: Duration | undefined;
  /**
   * How long a probe may take to be answered; the circuit then stays open, and the call continues. Default:
   * '10s'.
   */
  readonly probeTimeout?: Duration | undefined;
  /**
   * The statuses that count as a failure; every other one counts as a success, as the server has answered. A
   * call that its caller has cancelled counts as neither. Default: `['UNAVAILABLE', 'DEADLINE_EXCEEDED']`.
   */
  readonly failures?: readonly Exclude<FailureCode, 'CANCELLED'>[] | undefined;
}

const FAILURES: Option<ReadonlySet<Code>> = {
  schema: undefined,
  read(value, at, mistakes) {
    const codes = codesOf(at, value, mistakes);
    if (codes.includes('CANCELLED')) {
      mistakes.add(at, 'CANCELLED says nothing about the server; remove it');
    }
    return new Set(codes.map((code) => Code[code as keyof typeof Code]));
  },
};

const CIRCUIT_BREAKER_OPTIONS = {
  per: withDefault(choice(['endpoint', 'method']), 'endpoint'),
  window: withDefault(wholeNumber({ min: 1 }), 20),
  // Its default depends on the window.
  minCalls: wholeNumber({ min: 1 }),
  threshold: withDefault(finiteNumber({ min: 0, max: 1 }), 0.5),
  openFor: withDefault(duration({ min: 1 }), 10_000),
  probeTimeout: withDefault(duration({ min: 1 }), 10_000),
  failures: withDefault(FAILURES, new Set([Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED])),
} satisfies OptionTable<CircuitBreakerOptions>;

/** The same, checked and filled in; times in milliseconds. */
export interface BreakerRules extends Omit<
  ReadOptions<typeof CIRCUIT_BREAKER_OPTIONS>,
  'minCalls'
> {
  readonly minCalls: number;
}

/** @throws GrpcSetupError that lists every mistake. */
export function breakerRules(options: CircuitBreakerOptions): BreakerRules {
  const mistakes = new Mistakes();
  const at = 'circuitBreaker';
  const rules = readOptions(CIRCUIT_BREAKER_OPTIONS, options, at, mistakes);
  const { window, threshold, minCalls = Math.min(10, window) } = rules;
  if (minCalls > window) {
    mistakes.add(`${at}.minCalls`, `must be an integer from 1 to ${window}, not ${minCalls}`);
  }
  // The failed calls cannot be more than all calls.
  if (threshold === 1) {
    mistakes.add(`${at}.threshold`, 'must be less than 1, or the circuit never opens');
  }
  mistakes.throwIfAny(setupError);
  return { ...rules, minCalls };
}
