import { isAbortOf } from '@apix/contracts/internal';
import { HostError, errorIn, wrapping } from '../errors.js';
import type { Outcome } from '../outcome.js';

/** Why a service that ended before the shutdown has failed. */
export function prematureEnd(
  service: string,
  run: { readonly unready?: unknown },
  outcome: Outcome,
): Error {
  const who = `service ${service}`;
  if ('unready' in run) return errorIn(`${who}: not ready`, run.unready);
  if (!outcome.ok) return errorIn(who, outcome.error);
  return new HostError(`hostx: ${who}: ended before shutdown without an error`);
}

/** The last failure of a service that is not restarted any more, and why it is not. */
export function gaveUpBecause(service: string, why: string, error: Error): Error {
  const who = `service ${service}: `;
  return wrapping(error.message.replace(who, `${who}${why}: `), error);
}

/**
 * What went wrong in a stop, other than that it took too long.
 *
 * @param ended how the run ended that `signal` has ended; null without one.
 */
export function stopErrors(
  service: string,
  ended: { readonly signal: AbortSignal; readonly outcome: Outcome | null } | null,
  stopped: Outcome | null,
): Error[] {
  const who = `service ${service}`;
  const errors: Error[] = [];
  if (ended?.outcome?.ok === false && !isAbortOf(ended.signal, ended.outcome.error)) {
    errors.push(errorIn(who, ended.outcome.error));
  }
  if (stopped?.ok === false) errors.push(errorIn(`${who}: stop`, stopped.error));
  return errors;
}

/** @param afterMs how much time it had; null: none. */
export function abandonedText(service: string, afterMs: number | null): string {
  return afterMs === null
    ? `hostx: service ${service}: had no time left to stop, because others had used it up; abandoned`
    : `hostx: service ${service}: did not stop within ${afterMs} ms; abandoned`;
}
