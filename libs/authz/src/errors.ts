import { Code, StatusError, type StatusErrorOptions, mistakesText } from '@apix/contracts';

/** Options or policies that cannot be used; the app does not start. Lists every mistake. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';

  /** @param mistakes each with the option or the method that it is about. */
  constructor(readonly mistakes: readonly string[]) {
    super(mistakesText('authz', mistakes));
  }
}

/** The caller did not say who it is. HTTP 401. */
export function unauthenticated(message: string, cause?: unknown): StatusError {
  return withoutStack(Code.UNAUTHENTICATED, message, cause === undefined ? undefined : { cause });
}

/** The caller is known and may not do this. HTTP 403. */
export function permissionDenied(message: string): StatusError {
  return withoutStack(Code.PERMISSION_DENIED, message);
}

/**
 * A denial is an answer: its stack would show lines of ours alone, and capturing it takes thirty
 * times as long as the decision. What made it fail, if anything did, is its cause.
 */
function withoutStack(code: Code, message: string, options?: StatusErrorOptions): StatusError {
  const limit = Error.stackTraceLimit;
  limitStacks(0);
  try {
    return new StatusError(code, message, options);
  } finally {
    limitStacks(limit);
  }
}

function limitStacks(lines: number): void {
  try {
    Error.stackTraceLimit = lines;
  } catch {
    // A process with frozen intrinsics captures the stack; that costs time and nothing else.
  }
}
