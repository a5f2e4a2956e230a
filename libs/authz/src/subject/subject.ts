import type { CallContext } from '@apix/contracts';
import { type Option, option } from '@apix/contracts/internal';

/** An authenticated caller. */
export interface Subject {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  /** Who it is, such as a token's `sub`. No rule looks at it. */
  readonly id?: string;
  /** Further claims of the credential, for handlers. No rule looks at them. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Identifies the caller, at any door: a subject, `null` for an anonymous caller, or an error. A
 * StatusError, an RpcException with a code and the error of a gRPC call that a server answered reach the
 * caller as they are, trailers included. The error of a call that no server answered keeps its code, and
 * any other error becomes UNAUTHENTICATED.
 */
export type SubjectFunc = (call: CallContext) => Subject | null | Promise<Subject | null>;

/** An option that is a `SubjectFunc`. */
export const SUBJECT_FUNC: Option<SubjectFunc> = option(
  "a function that returns the caller's subject",
  (value) => typeof value === 'function',
);
