import { Mistakes, OptionsError } from '@apix/contracts';
import { SUBJECT_FUNC, type SubjectFunc } from './subject.js';

/**
 * Asks several sources in turn; the first that knows the caller decides, and an error of one ends the
 * search: a bad token is not forgiven because a certificate is there as well.
 *
 * @throws OptionsError for a source that is not a function, and if there is no source.
 */
export function firstSubject(...sources: readonly SubjectFunc[]): SubjectFunc {
  const mistakes = new Mistakes();
  sources.forEach((source, index) => SUBJECT_FUNC.read(source, `sources[${index}]`, mistakes));
  if (sources.length === 0) {
    mistakes.add('sources', "must be at least one function that returns the caller's subject");
  }
  mistakes.throwIfAny((found) => new OptionsError('authz: firstSubject', found));
  return async (call) => {
    for (const source of sources) {
      const subject = await source(call);
      if (subject !== null) return subject;
    }
    return null;
  };
}
