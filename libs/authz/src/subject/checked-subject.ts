import { type CarriedStatus, carriedStatus } from '@apix/calls';
import { StatusError } from '@apix/contracts';
import { types } from 'node:util';
import { internalError, noSubject, unauthenticated } from '../errors.js';
import { verdictsOf } from './prepared-subject.js';
import type { Subject } from './subject.js';
import { isTextList } from './text-list.js';

const { isProxy } = types;

/**
 * The result of a subject function, if it is a subject or null.
 *
 * @throws StatusError INTERNAL for anything else: `undefined`, lists that are not lists of strings. That is
 *   a mistake of the app, and the call is refused.
 */
export function checkedSubject(value: unknown): Subject | null {
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
