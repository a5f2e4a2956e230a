import { Code, type Duration, Mistakes } from '@apix/contracts';
import { setupError } from '../errors.js';
import type { FailureCode } from '../client/service-config/retry-options.js';
import { codesOf } from '../client/service-config/retry-policy.js';

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

/** The same, checked and filled in. */
export interface BreakerRules {
  readonly per: 'endpoint' | 'method';
  readonly window: number;
  readonly minCalls: number;
  readonly threshold: number;
  readonly openForMs: number;
  readonly probeTimeoutMs: number;
  readonly failures: ReadonlySet<Code>;
}

/** @throws GrpcSetupError that lists every mistake. */
export function breakerRules(options: CircuitBreakerOptions): BreakerRules {
  const { per = 'endpoint', threshold = 0.5, openFor = '10s', probeTimeout = '10s' } = options;
  const { failures = ['UNAVAILABLE', 'DEADLINE_EXCEEDED'] } = options;
  const mistakes = new Mistakes();
  const window = mistakes.count('circuitBreaker.window', options.window ?? 20, { min: 1 });
  const codes = codesOf('circuitBreaker.failures', failures, mistakes);
  if (codes.includes('CANCELLED')) {
    mistakes.add('circuitBreaker.failures', 'CANCELLED says nothing about the server; remove it');
  }
  const rules: BreakerRules = {
    per: mistakes.choice('circuitBreaker.per', per, ['endpoint', 'method']),
    window,
    minCalls: mistakes.count('circuitBreaker.minCalls', options.minCalls ?? Math.min(10, window), {
      min: 1,
      max: window,
    }),
    threshold: mistakes.number('circuitBreaker.threshold', threshold, { min: 0, max: 1 }),
    openForMs: mistakes.duration('circuitBreaker.openFor', openFor, { min: 1 }),
    probeTimeoutMs: mistakes.duration('circuitBreaker.probeTimeout', probeTimeout, { min: 1 }),
    failures: new Set(codes.map((code) => Code[code as keyof typeof Code])),
  };
  // The failed calls cannot be more than all calls.
  if (threshold === 1) {
    mistakes.add('circuitBreaker.threshold', 'must be less than 1, or the circuit never opens');
  }
  mistakes.throwIfAny(setupError);
  return rules;
}
