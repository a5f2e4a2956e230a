import { Code, StatusError, isCode, isStatusError } from '@apix/contracts';
import { unauthenticated } from '../errors.js';
import type { Subject } from './subject.js';

/**
 * What a subject function returned, if it is a subject or null.
 *
 * @throws StatusError INTERNAL for anything else: `undefined`, lists that are no lists of text. It
 * is the app's mistake, and nobody gets in by it.
 */
export function checkedSubject(value: unknown): Subject | null {
  if (value === null) return null;
  if (isSubject(value)) return value;
  throw new StatusError(Code.INTERNAL, 'internal error', {
    cause: new TypeError(
      'authz: the subject function must return { roles: string[], permissions: string[] } or ' +
        'null for an anonymous caller',
    ),
  });
}

function isSubject(value: unknown): value is Subject {
  return (
    typeof value === 'object' &&
    value !== null &&
    'roles' in value &&
    'permissions' in value &&
    isTextList(value.roles) &&
    isTextList(value.permissions)
  );
}

function isTextList(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  for (const item of value) if (typeof item !== 'string') return false;
  return true;
}

/** What a caller is told when the subject function failed with `error`. */
export function subjectFailure(error: unknown): StatusError {
  if (isStatusError(error)) return error;
  const own = ownStatus(error);
  return own ?? unauthenticated('the credentials were not accepted', error);
}

/** grpc-js and Nest's RpcException carry a status without being a StatusError. */
function ownStatus(error: unknown): StatusError | undefined {
  const carrier = isRecord(error) && typeof error['getError'] === 'function' ? rpc(error) : error;
  if (!isRecord(carrier)) return undefined;
  const { code } = carrier;
  if (!isCode(code)) return undefined;
  const text = carrier['details'] ?? carrier['message'];
  // OK is no reason to fail, and no reason to let anybody in.
  if (code === Code.OK) return unauthenticated('the credentials were not accepted', error);
  return new StatusError(code, typeof text === 'string' ? text : '', { cause: error });
}

function rpc(error: Readonly<Record<string, unknown>>): unknown {
  return (error as { getError(): unknown }).getError();
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
