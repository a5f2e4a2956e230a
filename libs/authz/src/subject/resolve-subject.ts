import { type CallContext, type Clock, Code, StatusError, isPromiseLike } from '@apix/contracts';
import { checkedSubject, subjectFailure } from './checked-subject.js';
import type { Subject, SubjectFunc } from './subject.js';

export interface SubjectSource {
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
