import { types } from 'node:util';
import { type CallContext, type Clock, Code, StatusError } from '@apix/contracts';
import { isPromiseLike } from '@apix/contracts/internal';
import { type CarriedStatus, carriedStatus } from '@apix/calls/internal';
import { internalError, noSubject, unauthenticated } from '../errors.js';
import type { Subject, SubjectFunc } from './subject.js';

const { isProxy } = types;

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

/** What was decided about a subject, by the requirement. */
type Verdicts = WeakMap<object, string>;

/**
 * Made by `prepareSubject` and by nothing else: a private field can be neither copied, inherited nor answered by a
 * proxy, and instances do not lead to their class.
 */
class PreparedSubject implements Subject {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  readonly #verdicts: Verdicts = new WeakMap();

  constructor(roles: readonly string[], permissions: readonly string[], others: object) {
    this.roles = roles;
    this.permissions = permissions;
    // Not by assignment, which would take `__proto__` for the prototype.
    Object.freeze(Object.defineProperties(this, Object.getOwnPropertyDescriptors(others)));
  }

  static verdictsOf(this: void, value: unknown): Verdicts | undefined {
    if (typeof value !== 'object' || value === null) return undefined;
    // The prototype is compared first because that is fast; it proves nothing.
    return Object.getPrototypeOf(value) === PreparedSubject.prototype && #verdicts in value
      ? value.#verdicts
      : undefined;
  }
}

Reflect.deleteProperty(PreparedSubject.prototype, 'constructor');

/**
 * A copy of a subject that is checked here once instead of at each decision, and cannot change, so that decisions about
 * it are remembered: for a caller about whom many are made, such as that of a session or a connection. The lists of roles
 * and permissions are copied and frozen; its `claims`, which no rule looks at, are the same object. A prepared subject
 * is returned as it is.
 *
 * @throws TypeError for a value that is neither a subject nor null.
 */
// Why: docs/decisions/0170
export function prepareSubject<S extends Subject | null>(subject: S): S {
  if (subject === null || verdictsOf(subject) !== undefined) return subject;
  // Copied before it is checked: a getter may return something else when it is called again.
  const given = (isProxy(subject) ? {} : Object(subject)) as Partial<Subject>;
  const { roles: roleList, permissions: permissionList, ...others } = given;
  const roles = frozenTexts(roleList);
  const permissions = frozenTexts(permissionList);
  if (roles === undefined || permissions === undefined) throw noSubject('prepareSubject()');
  return new PreparedSubject(roles, permissions, others) as Subject as S;
}

/**
 * What was decided about a prepared subject, which cannot change; undefined for any other value. A proxy of a prepared
 * subject is not one.
 */
export const { verdictsOf } = PreparedSubject;

/** Undefined for what is not a list of strings. */
function frozenTexts(list: unknown): readonly string[] | undefined {
  if (!isTextList(list)) return undefined;
  const texts = Array.from({ length: list.length }, (_, i) => list[i]);
  // Checked again: an element of an array may be a getter too.
  return isTextList(texts) ? Object.freeze(texts) : undefined;
}

/** Whether a value is a list of strings. A proxy is not: it may return other values later, and may have no end. */
export function isTextList(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || isProxy(value)) return false;
  // By index, because an array may have an own iterator.
  const { length } = value;
  for (let i = 0; i < length; i++) if (typeof value[i] !== 'string') return false;
  return true;
}
