import type { Transitions } from './transitions.js';

/**
 * - `waiting`: not started, because a service before it is not ready yet;
 * - `starting`: `start` runs, `ready` has not resolved;
 * - `ready`: in use;
 * - `backoff`: ended early, a restart is due;
 * - `completed`: returned from `start` and was allowed to; those that wait for it continue;
 * - `failed`: ended early and is not restarted, the host stops;
 * - `stopping`, `stopped`; `abandoned`: it had not stopped by the deadline.
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
  stopped: {},
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
  /** Restarts in all. */
  readonly restarts: number;
  /** The latest failure, kept after a restart. */
  readonly lastError?: Error | undefined;
}
