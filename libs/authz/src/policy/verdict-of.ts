import { verdictsOf } from '../subject/prepared-subject.js';
import type { Subject } from '../subject/subject.js';
import type { Evaluate, Verdict } from './compile-requirement.js';

const PASSED = 'passed';

/** Evaluates a requirement, for a prepared subject only once. */
export function verdictOf(evaluate: Evaluate, subject: Subject): Verdict {
  const known = verdictsOf(subject);
  if (known === undefined) return evaluate(subject);
  let verdict = known.get(evaluate);
  if (verdict === undefined) {
    verdict = evaluate(subject) ?? PASSED;
    known.set(evaluate, verdict);
  }
  return verdict === PASSED ? undefined : (verdict as Verdict);
}
