import type { ServiceStatus } from './service-state.js';
import type { Transitions } from './transitions.js';

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
