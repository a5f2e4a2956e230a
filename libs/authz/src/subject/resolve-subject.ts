import { types } from 'node:util';
import { type CallContext, type Clock, Code, StatusError } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { type CarriedStatus, carriedStatus } from '@apix/calls/internal';
import { internalError, noSubject, unauthenticated } from '../errors.js';
import type { Subject, SubjectFunc } from './subject.js';
import { verdictsOf, isTextList } from './prepared-subject.js';

interface SubjectSource {
  readonly subject: SubjectFunc;
  /** How long it may take, in milliseconds. */
  readonly subjectTimeout: number;
  readonly clock: Clock;
}

/**
 * The caller's subject, at once where the function answers at once.
 *
 * @throws StatusError (or rejects with one) where the function fails, answers with garbage, or
 * has not answered in time: DEADLINE_EXCEEDED.
 */
export function resolveSubject(
  source: SubjectSource,
  call: CallContext,
): Subject | null | Promise<Subject | null> {
  try {
    const answer: unknown = source.subject(call);
    return isPromiseLike(answer) ? inTime(answer, source) : checkedSubject(answer);
  } catch (error) {
    throw subjectFailure(error);
  }
}

async function inTime(
  answer: PromiseLike<unknown>,
  { subjectTimeout, clock }: SubjectSource,
): Promise<Subject | null> {
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(subjectTimeout, () => {
      reject(
        new StatusError(
          Code.DEADLINE_EXCEEDED,
          `the subject function did not answer within ${subjectTimeout} ms`,
        ),
      );
    });
  });
  try {
    return checkedSubject(await Promise.race([answer, late]));
  } catch (error) {
    throw subjectFailure(error);
  } finally {
    cancel();
  }
}

const { isProxy } = types;

/**
 * The result of a subject function, if it is a subject or null.
 *
 * @throws StatusError INTERNAL for anything else: `undefined`, lists that are not lists of strings. That is
 *   a mistake of the app, and the call is refused.
 */
function checkedSubject(value: unknown): Subject | null {
  if (value === null) return null;
  if (isSubject(value)) return value;
  throw internalError(noSubject('the subject function'));
}

/**
 * Whether a value is a subject. A proxy is not: it may return other values later, and its lists may have no
 * end.
 */
export function isSubject(value: unknown): value is Subject {
  if (typeof value !== 'object' || value === null) return false;
  if (verdictsOf(value) !== undefined) return true;
  if (isProxy(value)) return false;
  const { roles, permissions } = value as Partial<Subject>;
  return isTextList(roles) && isTextList(permissions);
}

/**
 * The status for a caller whose subject function failed with `error`: the status that the error carries,
 * else UNAUTHENTICATED. Of a status that a gRPC client created itself, only the code is kept: its text
 * names the addresses of the server that it could not reach.
 */
export function subjectFailure(error: unknown): StatusError {
  const carried = statusIn(error);
  if (carried === undefined) return unauthenticated('the credentials were not accepted', error);
  if (carried.fromServer) return carried.error;
  return new StatusError(carried.error.code, 'the credentials could not be checked', {
    cause: error,
  });
}

/** An error that cannot even be looked at is not a status. */
function statusIn(error: unknown): CarriedStatus | undefined {
  try {
    return carriedStatus(error);
  } catch {
    return undefined;
  }
}
