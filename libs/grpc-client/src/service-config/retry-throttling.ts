import type { Mistakes } from '@apix/contracts';
import {
  finiteNumber,
  type OptionTable,
  readOptions,
  required,
  withDefault,
} from '@apix/contracts/internal';
import type { ServiceConfig } from '@grpc/grpc-js';

/** When retries and hedges stop because too much fails (gRFC A6). */
export interface RetryThrottlingOptions {
  /**
   * Every failed attempt takes one token, and while at most half of them are left, nothing is retried: 1 to
   * 1,000. Required.
   */
  readonly maxTokens: number;
  /** How much of a token a call gives back that succeeds: at least 0.001. Default: 0.1. */
  readonly tokenRatio?: number | undefined;
}

const RETRY_THROTTLING_OPTIONS = {
  maxTokens: required(finiteNumber({ min: 1, max: 1_000 }), 1),
  // grpc-js rounds to thousandths, so that less would be nothing.
  tokenRatio: withDefault(finiteNumber({ min: 0.001 }), 0.1),
} satisfies OptionTable<RetryThrottlingOptions>;

/** The part of a service config. Notes every mistake. */
export function throttlingConfig(
  given: RetryThrottlingOptions,
  mistakes: Mistakes,
): NonNullable<ServiceConfig['retryThrottling']> {
  return readOptions(RETRY_THROTTLING_OPTIONS, given, 'retryThrottling', mistakes);
}
