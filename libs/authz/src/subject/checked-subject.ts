import { type CarriedStatus, carriedStatus } from '@apix/calls';
import { StatusError } from '@apix/contracts';
import { types } from 'node:util';
import { internalError, unauthenticated } from '../errors.js';
import type { Subject } from './subject.js';

const { isProxy } = types;

/**
 * What a subject function returned, if it is a subject or null.
 *
 * @throws StatusError INTERNAL for anything else: `undefined`, lists that are not lists of strings.
 * It is the app's mistake, and no call gets in by it.
 */
export function checkedSubject(value: unknown): Subject | null {
  if (value === null) return null;
  if (isSubject(value)) return value;
  throw internalError(noSubject('the subject function'));
}

/** For the app's developer, not for the caller. */
export function noSubject(source: string): TypeError {
  return new TypeError(
    `authz: ${source} needs { roles: string[], permissions: string[] }, or null for an ` +
      'anonymous caller',
  );
}

/**
 * Whether a value is a subject. A proxy is none: what it says now, it may not say again, and its
 * lists may have no end.
 */
export function isSubject(value: unknown): value is Subject {
  if (typeof value !== 'object' || value === null || isProxy(value)) return false;
  const { roles, permissions } = value as Partial<Subject>;
  return isTextList(roles) && isTextList(permissions);
}

function isTextList(value: unknown): boolean {
  if (!Array.isArray(value) || isProxy(value)) return false;
  // By index, since an array may have an iterator of its own.
  const { length } = value;
  for (let i = 0; i < length; i++) if (typeof value[i] !== 'string') return false;
  return true;
}

/**
 * What a caller is told when the subject function failed with `error`: the status that it carries,
 * else UNAUTHENTICATED. A status that a gRPC client made by itself keeps its code alone: its text
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
