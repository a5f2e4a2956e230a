import { markClass } from '../brand.js';
import type { CallContext } from './call-context.js';

/** Offered by authz; read by entry points that show callers only what they may call, as mcp does. */
export const ACCESS_SOURCE = Symbol.for('apix.AccessSource');

/** Whether a caller may call a method. `undecided`: a condition of its policy reads the request, or its record. */
export type MethodAccess = 'allowed' | 'denied' | 'undecided';

/** What one caller may call at one moment. */
export interface CallerAccess {
  /** Who it is, such as a token's `sub`. Undefined: not known, or anonymous. */
  readonly caller: string | undefined;
  /** Whether the caller has not said who it is. */
  readonly isAnonymous: boolean;
  /** A method that is not known is denied. Throws nothing. */
  of(fullMethodName: string): MethodAccess;
}

export interface AccessSource {
  readonly [ACCESS_SOURCE]?: true;
  /**
   * Finds out who calls, once, and says what that caller may call now. It decides about no call, so that nothing is
   * counted or reported: the call itself is decided about when it is made.
   *
   * @param call as the call itself would be, but for its method.
   * @throws StatusError (or rejects with it) where calls would be denied before their method counts, as for invalid
   *   credentials. Nothing may be shown then.
   */
  accessOf(call: CallContext): CallerAccess | Promise<CallerAccess>;
}

/** Marks a provider that says what callers may call. The same as a property `[ACCESS_SOURCE] = true`. */
export function AccessSource(): ClassDecorator {
  return markClass(ACCESS_SOURCE);
}
