import type { CallContext } from '@apix/contracts';

/** An authenticated caller. */
export interface Subject {
  readonly roles: readonly string[];
  readonly permissions: readonly string[];
  /** Who it is, such as a token's `sub`. No rule looks at it. */
  readonly id?: string;
  /** What else the credential said, for handlers. No rule looks at it. */
  readonly claims?: Readonly<Record<string, unknown>>;
}

/**
 * Finds out who calls, from whatever door: a subject, `null` for an anonymous caller, or an
 * error. A StatusError (or a gRPC error with a code) reaches the caller as it is, any other
 * error becomes UNAUTHENTICATED.
 */
export type SubjectFunc = (call: CallContext) => Subject | null | Promise<Subject | null>;
