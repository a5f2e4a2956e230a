import type { Clock, PolicyView } from '@apix/contracts';
import { findings } from '../policy/explain.js';
import type { Subject } from '../subject/subject.js';
import type { Explanation, GivenRecord } from './admission.js';
import { conditionFindings } from '../conditions/condition-findings.js';
import type { Decisions } from './decisions.js';
import { listFinding } from './list-call.js';
import type { Standing } from './rulebook.js';

/** A call that might be made. */
export interface AskedCall {
  readonly method: string;
  readonly policy: PolicyView | undefined;
  readonly subject: Subject | null;
  readonly record: GivenRecord | undefined;
}

/** Explains rule by rule whether a call would be allowed; counts and reports nothing. */
export function explainCall(
  standing: Standing,
  decisions: Decisions,
  clock: Clock,
  { method, policy, subject, record }: AskedCall,
): Explanation {
  const base = { method, policy, findings: [], conditions: [] };
  if (standing.kind === 'open') return { ...base, allowed: true, reason: standing.reason };
  if (standing.kind === 'closed') {
    return { ...base, allowed: false, reason: standing.refusal.reason };
  }
  const denial = decisions.denialBy(standing, subject, record);
  const { requirement, conditions, lists } = standing.policy;
  const now = clock.now();
  return {
    ...base,
    allowed: denial === null,
    reason: denial?.reason ?? 'passed',
    findings: subject === null ? [] : findings(requirement!, subject),
    conditions:
      conditions === undefined || subject === null || record === undefined
        ? []
        : conditionFindings(conditions, { ...record, subject, now }),
    ...(lists !== undefined &&
      subject !== null &&
      denial === null && { list: listFinding(lists, clock, subject, record) }),
  };
}
