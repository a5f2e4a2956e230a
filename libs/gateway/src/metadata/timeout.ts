import { MAX_TIMER_MS } from '@apix/contracts';
import { badRequest, quotedInput } from '../errors.js';

const UNIT_MS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1_000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** The maximum of a timer, minus the second by which grpc-js may round up a deadline. */
const LONGEST_MS = MAX_TIMER_MS - 1_000;

/**
 * Milliseconds of a `grpc-timeout` value: at most eight digits and a unit (gRPC over HTTP/2,
 * "Timeout"). Cut to 24.8 days, because grpc-js would fail at once beyond it.
 *
 * @throws HttpRefusal for anything else.
 */
export function parseGrpcTimeout(text: string): number {
  const [, amount, unit] = /^(\d{1,8})([HMSmun])$/.exec(text) ?? [];
  if (amount === undefined || unit === undefined) {
    throw badRequest(
      `header Grpc-Timeout has the value ${quotedInput(text)}: use up to eight digits and one of ` +
        'H, M, S, m, u, n',
      'Grpc-Timeout',
    );
  }
  return Math.min(Number(amount) * (UNIT_MS[unit] ?? 0), LONGEST_MS);
}
