import type { CallContext, CallerAccess, MethodAccess } from '@apix/contracts';
import { firstUnmet, valuesOf } from '../conditions/check-conditions.js';
import type { CompiledCondition } from '../conditions/method-conditions.js';
import { verdictOf } from '../policy/compile-requirement.js';
import { resolveSubject } from '../subject/checked-subject.js';
import type { Subject } from '../subject/subject.js';
import type { ResolvedAuthorizerOptions } from './authorizer-options.js';
import type { Standing } from './rulebook.js';

/** Of every caller in shadow mode, which denies no call. */
const SHADOW: CallerAccess = { caller: undefined, isAnonymous: false, of: () => 'allowed' };

/**
 * What a caller may call, by the policies of methods. Decides about no call.
 *
 * @throws StatusError (or rejects with it) where the subject function fails.
 */
export function callerAccess(
  options: ResolvedAuthorizerOptions,
  call: CallContext,
  standingOf: (fullMethodName: string) => Standing,
): CallerAccess | Promise<CallerAccess> {
  if (options.mode === 'shadow') return SHADOW;
  const accessOf = (subject: Subject | null): CallerAccess => ({
    caller: idOf(subject),
    isAnonymous: subject === null,
    of: (name) => {
      try {
        return methodAccess(standingOf(name), subject, options.clock.now());
      } catch {
        // Getters of a subject throw; the call would be refused.
        return 'denied';
      }
    },
  });
  const subject = resolveSubject(options, call);
  return subject instanceof Promise ? subject.then(accessOf) : accessOf(subject);
}

function idOf(subject: Subject | null): string | undefined {
  const id: unknown = subject?.id;
  return typeof id === 'string' ? id : undefined;
}

/** What a subject may call by a policy. */
export function methodAccess(
  standing: Standing,
  subject: Subject | null,
  now: number,
): MethodAccess {
  if (standing.kind === 'open') return 'allowed';
  if (standing.kind === 'closed' || subject === null) return 'denied';
  if (verdictOf(standing.evaluate, subject) !== undefined) return 'denied';
  const { conditions } = standing;
  if (conditions === undefined) return 'allowed';
  const early = conditions.list.filter(readsCallerOnly);
  const values = valuesOf(conditions, { request: undefined, subject, now });
  if (firstUnmet(early, values) !== undefined) return 'denied';
  return early.length < conditions.list.length ? 'undecided' : 'allowed';
}

function readsCallerOnly({ readsResource, compiled }: CompiledCondition): boolean {
  return !readsResource && ![...compiled.reads].some((name) => /^request(?:\.|$)/.test(name));
}
