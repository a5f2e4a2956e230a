import { type Clock, type HealthCheck, deadlineAfter, thrownText } from '@apix/contracts';
import { runHealthCheck } from '@apix/contracts/internal';
import { byDeadline, outcomeOf } from '../outcome.js';

export interface CheckLimits {
  readonly timeoutMs: number;
  readonly cacheMs: number;
}

/** `null` when well, else why not. */
export type CheckOutcome = string | null;

/**
 * The runs of one check: never two at a time, each with a timeout, the outcome kept for a while.
 * A run that ignores its timeout is left behind, so that the next one can find the thing well.
 */
export class CheckRun {
  #current: Promise<CheckOutcome> | null = null;
  #kept: { readonly outcome: CheckOutcome; readonly until: number } | null = null;

  constructor(private readonly clock: Clock) {}

  /** Resolves within the timeout, and never rejects. */
  outcome(check: HealthCheck, limits: CheckLimits): Promise<CheckOutcome> {
    const now = this.clock.now();
    // A clock that was set back must not keep an outcome forever.
    if (this.#kept !== null && now < this.#kept.until && this.#kept.until - now <= limits.cacheMs) {
      return Promise.resolve(this.#kept.outcome);
    }
    this.#current ??= this.#run(check, limits).finally(() => (this.#current = null));
    return this.#current;
  }

  async #run(check: HealthCheck, { timeoutMs, cacheMs }: CheckLimits): Promise<CheckOutcome> {
    const deadline = deadlineAfter(timeoutMs, this.clock);
    const ended = await byDeadline(
      outcomeOf(() => runHealthCheck(check, deadline.signal)),
      deadline,
    );
    deadline.dispose();
    const outcome = textOf(ended, timeoutMs);
    this.#kept = cacheMs > 0 ? { outcome, until: this.clock.now() + cacheMs } : null;
    return outcome;
  }
}

function textOf(ended: Awaited<ReturnType<typeof byDeadline>>, timeoutMs: number): CheckOutcome {
  if (ended === null) return `no answer within ${timeoutMs} ms`;
  return ended.ok ? null : thrownText(ended.error);
}

/** The answer of an endpoint, as JSON: with status 200 if `ok`, otherwise with 503. */
export interface HealthReport {
  readonly status: 'ok' | 'unhealthy';
  /** By name: `ok`, or the text of the error. */
  readonly checks: Readonly<Record<string, string>>;
}

export interface CheckResult {
  readonly name: string;
  readonly outcome: CheckOutcome;
}

/** One report of many results. If two checks have the same name, the failure is reported. */
export function reportOf(results: readonly CheckResult[]): HealthReport {
  const texts = new Map<string, string>();
  for (const { name, outcome } of results) {
    const known = texts.get(name);
    if (known === undefined || known === 'ok') texts.set(name, outcome ?? 'ok');
    else if (outcome !== null && outcome !== known) texts.set(name, `${known}; ${outcome}`);
  }
  const isWell = results.every(({ outcome }) => outcome === null);
  return { status: isWell ? 'ok' : 'unhealthy', checks: Object.fromEntries(texts) };
}
