import { Code, StatusError } from '@apix/contracts';
import { mistakesText } from '@apix/contracts/internal';

/** Options or policies that cannot be used; the app does not start. Lists every mistake. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';

  /** @param mistakes each with the option or the method that it is about. */
  constructor(readonly mistakes: readonly string[]) {
    super(mistakesText('authz', mistakes));
  }
}

/**
 * The caller did not identify itself, or its credentials cannot be trusted. HTTP 401.
 *
 * It has no stack, which would show only lines of this package; the error behind it, if there is one, is
 * its `cause`.
 */
export function unauthenticated(message: string, cause?: unknown): StatusError {
  const limit = Error.stackTraceLimit;
  limitStacks(0);
  try {
    return new StatusError(
      Code.UNAUTHENTICATED,
      message,
      cause === undefined ? undefined : { cause },
    );
  } finally {
    limitStacks(limit);
  }
}

/** A mistake of the app's that no caller gets in by: the caller learns nothing of it. HTTP 500. */
export function internalError(cause: unknown): StatusError {
  return new StatusError(Code.INTERNAL, 'internal error', { cause });
}

function limitStacks(lines: number): void {
  try {
    Error.stackTraceLimit = lines;
  } catch {
    // A process with frozen intrinsics captures the stack; that costs time and nothing else.
  }
}

/** For the app's developer, not for the caller. */
export function noSubject(source: string): TypeError {
  return new TypeError(
    `authz: ${source} needs { roles: string[], permissions: string[] }, or null for an ` +
      'anonymous caller',
  );
}
