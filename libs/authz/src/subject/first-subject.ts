import type { SubjectFunc } from './subject.js';

/**
 * Asks several sources in turn; the first that knows the caller decides, and an error of one
 * ends the search: a bad token is not forgiven because a certificate is there as well.
 */
export function firstSubject(...sources: readonly SubjectFunc[]): SubjectFunc {
  return async (call) => {
    for (const source of sources) {
      const subject = await source(call);
      if (subject !== null) return subject;
    }
    return null;
  };
}
