import { MAX_TIMER_MS } from '@apix/contracts/internal';
import {
  CircuitState,
  CountBreaker,
  circuitPolicy,
  handleWhenResult,
} from '../npm-install/cockatiel.js';
import type { BreakerRules } from './breaker-options.js';

/** What the outcome of a call shows about the server; `nothing`: its caller gave up. */
export type CallVerdict = 'works' | 'fails' | 'nothing';

/** Whether calls are let through: `probing` is a single one, whose verdict decides. */
export type CircuitPhase = 'closed' | 'probing' | 'open';

/** Takes the verdict on a call that was let through; only the first counts. */
export type ReportCall = (verdict: CallVerdict) => void;

const UNKNOWN = new Error('grpc: the caller gave up');

const PHASES: Readonly<Record<CircuitState, CircuitPhase>> = {
  [CircuitState.Closed]: 'closed',
  [CircuitState.HalfOpen]: 'probing',
  [CircuitState.Open]: 'open',
  [CircuitState.Isolated]: 'open',
};

/** One circuit: lets calls through while enough of them work. */
export class Circuit {
  readonly #policy;
  readonly #probeTimeoutMs: number;
  readonly #openForMs: number;
  #openedAt = 0;
  /** Calls that were refused. */
  refused = 0;

  constructor({ window, minCalls, threshold, openFor, probeTimeout }: BreakerRules) {
    this.#probeTimeoutMs = probeTimeout;
    this.#openForMs = openFor;
    this.#policy = circuitPolicy(
      handleWhenResult((verdict) => verdict === 'fails'),
      {
        halfOpenAfter: openFor,
        breaker: new CountBreaker({ threshold, size: window, minimumNumberOfCalls: minCalls }),
      },
    );
    this.#policy.onBreak(() => (this.#openedAt = Date.now()));
  }

  /**
   * Whether it is open and no probe is due. An instance that is unready for longer gets no traffic, so that
   * nothing would ever probe.
   */
  get isRefusing(): boolean {
    return this.phase === 'open' && Date.now() - this.#openedAt < this.#openForMs;
  }

  get phase(): CircuitPhase {
    return PHASES[this.#policy.state];
  }

  /** @returns undefined where the call is refused. */
  enter(): ReportCall | undefined {
    // The library would have a call wait for the probe, for as long as that takes.
    if (this.#policy.state === CircuitState.HalfOpen) return this.#refuse();
    let report: ReportCall | undefined;
    const run = this.#policy.execute(
      () =>
        new Promise<CallVerdict>((resolve, reject) => {
          report = (verdict) => (verdict === 'nothing' ? reject(UNKNOWN) : resolve(verdict));
        }),
    );
    // It rejects for a refused call, and with the error that it was given; both are known here.
    run.catch(() => {});
    if (report === undefined) return this.#refuse();
    return this.phase === 'probing' ? this.#probe(report) : report;
  }

  #refuse(): undefined {
    this.refused += 1;
  }

  /** A probe whose caller gives up, or that is not answered, must not leave the circuit waiting. */
  #probe(report: ReportCall): ReportCall {
    const late = setTimeout(() => report('fails'), Math.min(this.#probeTimeoutMs, MAX_TIMER_MS));
    late.unref();
    return (verdict) => {
      clearTimeout(late);
      report(verdict === 'nothing' ? 'fails' : verdict);
    };
  }
}
