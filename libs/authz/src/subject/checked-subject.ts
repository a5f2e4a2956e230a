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
    cause: noSubject('the subject function'),
  });
}

/** For the app's developer, not for the caller. */
export function noSubject(source: string): TypeError {
  return new TypeError(
    `authz: ${source} wants { roles: string[], permissions: string[] }, or null for an ` +
      'anonymous caller',
  );
}

export function isSubject(value: unknown): value is Subject {
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
  const own = isStatusError(error) ? error : grpcStatus(error);
  // OK is no reason to fail, and no reason to let anybody in.
  const valid = own !== undefined && isCode(own.code) && own.code !== Code.OK;
  return valid ? own : unauthenticated('the credentials were not accepted', error);
}

interface RpcExceptionLike {
  getError(): unknown;
}

/**
 * The status of grpc-js' ServiceError (`code` and `details`) and of Nest's RpcException. A bare
 * `code` is not enough: errors of databases have numbers too, and their words are not for callers.
 */
function grpcStatus(error: unknown): StatusError | undefined {
  if (!isRecord(error)) return undefined;
  if (typeof error['getError'] !== 'function') {
    const { code, details } = error;
    return typeof details === 'string' ? statusWith(code, details, error) : undefined;
  }
  const inner = (error as unknown as RpcExceptionLike).getError();
  return isRecord(inner)
    ? statusWith(inner['code'], inner['details'] ?? inner['message'], error)
    : undefined;
}

function statusWith(code: unknown, text: unknown, cause: unknown): StatusError | undefined {
  if (!isCode(code) || code === Code.OK) return undefined;
  return new StatusError(code, typeof text === 'string' ? text : '', { cause });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
