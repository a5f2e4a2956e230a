import type { ServiceTier } from '../service-tier.js';

/** For each state, what each event that may happen in it leads to. */
export type Transitions<S extends string, E extends string> = {
  readonly [state in S]: Readonly<Partial<Record<E, S>>>;
};

/**
 * The state that an event leads to.
 *
 * @throws Error for an event that the table does not allow in that state: a bug of the caller.
 */
export function transition<S extends string, E extends string>(
  table: Transitions<S, E>,
  state: S,
  event: E,
): S {
  const next = table[state][event];
  if (next === undefined) throw new Error(`hostx: ${event} cannot happen while ${state}`);
  return next;
}

/**
 * - `waiting`: not started, because a service before it is not ready yet;
 * - `starting`: `start` runs, `ready` has not resolved;
 * - `ready`: in use;
 * - `backoff`: ended early, a restart is due;
 * - `completed`: returned from `start` and was allowed to; those that wait for it continue;
 * - `failed`: ended early and is not restarted, the host stops;
 * - `stopping`, `stopped`, for good or to be started again; `abandoned`: it had not stopped by the deadline.
 */
export type ServiceState =
  | 'waiting'
  | 'starting'
  | 'ready'
  | 'backoff'
  | 'completed'
  | 'failed'
  | 'stopping'
  | 'stopped'
  | 'abandoned';

export type ServiceEvent =
  | 'launch'
  | 'ready'
  | 'retry'
  | 'relaunch'
  | 'complete'
  | 'giveUp'
  | 'stop'
  | 'skip'
  | 'stopped'
  | 'abandon';

/** The events that are possible in each state of a service, and the next state. */
export const SERVICE_TRANSITIONS: Transitions<ServiceState, ServiceEvent> = {
  waiting: { launch: 'starting', skip: 'stopped' },
  starting: {
    ready: 'ready',
    retry: 'backoff',
    complete: 'completed',
    giveUp: 'failed',
    stop: 'stopping',
  },
  ready: { retry: 'backoff', complete: 'completed', giveUp: 'failed', stop: 'stopping' },
  backoff: { relaunch: 'starting', stop: 'stopping' },
  completed: { stop: 'stopping' },
  failed: { stop: 'stopping' },
  stopping: { stopped: 'stopped', abandon: 'abandoned' },
  // By a restart that was asked for; after a shutdown it is final.
  stopped: { relaunch: 'starting' },
  abandoned: {},
};

/** A service at one moment. */
export interface ServiceStatus {
  readonly name: string;
  readonly state: ServiceState;
  /** When the state was entered, in milliseconds since the epoch. */
  readonly since: number;
  /** Restarts since the last stable run; 0 in the first run. */
  readonly attempt: number;
  /** Restarts after failures. */
  readonly restarts: number;
  /** Restarts by `Host.restartService`. */
  readonly askedRestarts: number;
  readonly tier: ServiceTier;
  /** The latest failure, kept after a restart. */
  readonly lastError?: Error | undefined;
}

/**
 * `starting` lasts until every service is ready and the started hooks have run, `stopping` until
 * the last closer is done.
 */
export type HostPhase = 'idle' | 'starting' | 'running' | 'stopping' | 'stopped';

export type HostEvent = 'run' | 'started' | 'shutdown' | 'done';

/** The events that are possible in each phase of a host, and the next phase. */
export const HOST_TRANSITIONS: Transitions<HostPhase, HostEvent> = {
  idle: { run: 'starting' },
  starting: { started: 'running', shutdown: 'stopping' },
  running: { shutdown: 'stopping' },
  stopping: { done: 'stopped' },
  stopped: {},
};

/** The host at one moment. Times are in milliseconds since the epoch. */
export interface HostStatus {
  readonly phase: HostPhase;
  readonly since: number;
  /** Why it is shutting down, such as `SIGTERM`; absent before. */
  readonly reason?: string | undefined;
  /** In the order in which they start. */
  readonly services: readonly ServiceStatus[];
}
