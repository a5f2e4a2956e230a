import { Code, StatusError } from '@apix/contracts';

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
  return new StatusError(Code.UNAUTHENTICATED, message, cause === undefined ? {} : { cause });
}

/** The caller is known and may not do this. HTTP 403. */
export function permissionDenied(message: string): StatusError {
  return new StatusError(Code.PERMISSION_DENIED, message);
}
