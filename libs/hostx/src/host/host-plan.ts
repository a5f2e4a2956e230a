import type { Clock, Deadline, WorkScope } from '@apix/contracts';
import type { GivenDrain } from '../drain-delay.js';
import type { Environment } from '../environment.js';
import type { HostLogger } from '../log/host-logger.js';
import type { Observer } from '../observer.js';
import type { ServiceTier } from '../service-tier.js';
import type { Service } from '../service.js';
import type { ResolvedRestartPolicy } from '../supervision/restart-policy.js';
import type { HeldSignals } from './signals.js';
import type { StartOrder } from './start-order.js';

/** Something that runs at a certain point; the name is for messages. */
export interface Step<A> {
  readonly name: string;
  readonly run: (argument: A) => unknown;
}

/** What a stopping hook gets in addition to its deadline. */
export interface StopInfo {
  /** Why the host stops: `'SIGTERM'`, the message of a failure and the like. */
  readonly reason: string;
  /**
   * What there is to stop: `all` if the host has been running, `some` if the start was cancelled after at
   * least one service had been started, `nothing` if it was cancelled before. A hook that undoes a started
   * hook has nothing to do unless it is `all`.
   */
  readonly started: 'nothing' | 'some' | 'all';
}

/** A hook that runs when the shutdown has begun. */
export interface StoppingStep {
  readonly name: string;
  readonly run: (deadline: Deadline, stop: StopInfo) => unknown;
}

export interface PlannedTask extends Step<AbortSignal> {
  /** Whether it runs inside the work scopes. */
  readonly isScoped: boolean;
}

export interface PlannedService {
  readonly service: Service;
  /** Transports do not run inside the work scopes. */
  readonly tier: ServiceTier;
  /** Null: ending early stops the host. */
  readonly restart: ResolvedRestartPolicy | null;
  /** Whether it may return from `start`. */
  readonly completes: boolean;
  /** Caps its stop. Infinity: the shutdown timeout alone. */
  readonly stopTimeoutMs: number;
}

/** The complete plan of a host: the result of a builder. */
export interface HostPlan {
  readonly tasks: readonly PlannedTask[];
  readonly services: readonly PlannedService[];
  /** The indexes that each service waits for. */
  readonly order: StartOrder;
  readonly onStarted: readonly Step<AbortSignal>[];
  readonly onStopping: readonly StoppingStep[];
  readonly teardown: readonly Step<Deadline>[];
  readonly onStopped: readonly Step<Deadline>[];
  readonly closers: readonly Step<Deadline>[];
  readonly onReload: readonly Step<AbortSignal>[];
  readonly scopes: readonly WorkScope[];
  readonly observers: readonly Observer[];
  /** One that never throws. */
  readonly logger: HostLogger;
  /** Whether there is no logger. */
  readonly isSilent: boolean;
  readonly environment: Environment;
  /** Why default drain delays are 0; undefined: they are not. */
  readonly noDefaultDelay: string | undefined;
  /** What the settings say for every transport. */
  readonly drain: GivenDrain;
  /** Infinity: unbounded. */
  readonly bootTimeoutMs: number;
  /** Infinity: unbounded. */
  readonly startTimeoutMs: number;
  /** Caps each reload hook. */
  readonly reloadTimeoutMs: number;
  readonly shutdownTimeoutMs: number;
  /** Those held before the host was built; null: none. */
  readonly signals: HeldSignals | null;
  readonly clock: Clock;
  readonly random: () => number;
}
