import type { Clock, PolicyReport, ReportedDecision } from '@apix/contracts';
import { cutText } from '@apix/contracts/internal';
import { History } from '../history.js';
import type { DecisionRow, Numbered } from '../section-views.js';
import { SecondBudget } from './second-budget.js';

/** How many decisions are kept, at most. */
export const MOST_DECISIONS = 200;
/** Of a method or the id of a caller, in UTF-16 units. */
const MOST_TEXT = 200;
/** The page does not show its own requests, unless they were denied. */
const OWN = /^HostPageController\./;
/** How many decisions are kept in a second, at most. */
const BUDGET = { allowed: 50, denied: 50 };

/** The decisions of late, while somebody looks. */
export class DecisionTail {
  readonly #history = new History<DecisionRow>(MOST_DECISIONS);
  readonly #budget;
  #leftOut = 0;

  constructor(
    private readonly reports: readonly PolicyReport[],
    private readonly clock: Clock,
  ) {
    this.#budget = new SecondBudget(clock, BUDGET);
  }

  /** How many decisions were too many. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get lastId(): number {
    return this.#history.lastId;
  }

  since(id: number): readonly Numbered<DecisionRow>[] {
    return this.#history.since(id);
  }

  /** Begins to follow; returns what ends it. */
  follow(): () => void {
    const ends = this.reports.map((report) => report.follow((decision) => this.#take(decision)));
    return () => {
      for (const end of ends) end();
    };
  }

  #take(decision: ReportedDecision): void {
    if (decision.allowed && decision.door === 'http' && OWN.test(decision.method)) return;
    if (this.#budget.take(decision.allowed ? 'allowed' : 'denied')) {
      this.#history.add(rowOf(decision, this.clock.now()));
    } else this.#leftOut += 1;
  }
}

function rowOf(decision: ReportedDecision, at: number): DecisionRow {
  const { method, door, allowed, reason, matter, caller, shadow } = decision;
  return {
    at,
    method: cutText(method, MOST_TEXT),
    door,
    outcome: allowed ? 'allowed' : shadow ? 'shadowed' : 'denied',
    reason: matter === null ? reason : `${reason} ${cutText(matter, MOST_TEXT)}`,
    caller: caller === null ? '' : cutText(caller, MOST_TEXT),
  };
}
