import { Code, StatusError, type StatusErrorOptions } from '@apix/contracts';

/** The app's policies are wrong; nothing is served until every mistake listed here is mended. */
export class PolicyError extends Error {
  override readonly name = 'PolicyError';

  constructor(readonly mistakes: readonly string[]) {
    const list = mistakes.map((mistake) => `\n  - ${mistake}`).join('');
    super(`authz: ${mistakes.length} mistake(s) in the policies:${list}`);
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
