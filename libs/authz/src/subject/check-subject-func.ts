import { type Mistakes, shownValue } from '@apix/contracts';

/** Notes what cannot be a `SubjectFunc`. */
export function checkSubjectFunc(where: string, value: unknown, mistakes: Mistakes): void {
  if (typeof value === 'function') return;
  mistakes.add(
    where,
    `must be a function that returns the caller's subject, not ${shownValue(value)}`,
  );
}
