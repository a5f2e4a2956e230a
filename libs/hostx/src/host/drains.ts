import { DEFAULT_DRAIN_DELAY, type DrainBegin } from '../drain-delay.js';
import type { Supervisor } from '../supervision/supervisor.js';
import type { HostPlan } from './host-plan.js';

/** The options of a shutdown. */
export interface ShutdownRequest {
  /** Such as `SIGTERM`. */
  readonly reason: string;
  /** The text for the log, if an error has been logged already. Default: `reason`. */
  readonly shown?: string;
  /** Why drain delays are skipped; undefined: they are not. */
  readonly withoutDelay?: string | undefined;
}

/** Begins the drain of everything, and logs that the host stops and for how long it keeps serving. */
export function beginDrains(
  supervisors: readonly Supervisor[],
  plan: Pick<HostPlan, 'logger' | 'shutdownTimeoutMs' | 'noDefaultDelay' | 'drain'>,
  { reason, shown = reason, withoutDelay }: ShutdownRequest,
): void {
  const { logger, shutdownTimeoutMs, noDefaultDelay, drain } = plan;
  const how: DrainBegin = {
    defaultDelayMs: drain.delay ?? (noDefaultDelay === undefined ? DEFAULT_DRAIN_DELAY : 0),
    skipsDelay: withoutDelay !== undefined,
    given: drain,
  };
  const delays = supervisors
    .map((supervisor) => supervisor.beginDrain(how))
    .filter((delay) => delay !== null);
  // No delay takes more than half of the available time.
  const delayMs = Math.min(Math.max(0, ...delays), shutdownTimeoutMs / 2);
  const why = withoutDelay ?? noDefaultDelay;
  if (delayMs > 0) {
    logger.information(
      'Host is {Phase}: {Reason}; it keeps serving for {DrainDelayMs} ms, so that load balancers can remove it',
      'stopping',
      shown,
      delayMs,
    );
  } else if (delays.length > 0 && why !== undefined) {
    logger.information(
      'Host is {Phase}: {Reason}; without a drain delay: {Why}',
      'stopping',
      shown,
      why,
    );
  } else logger.information('Host is {Phase}: {Reason}', 'stopping', shown);
}
