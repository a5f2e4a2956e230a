import type { Clock, WorkScope } from '@apix/contracts';
import type { Notify } from '../observer.js';
import type { ServiceTier } from '../service-tier.js';
import type { ServiceContext } from '../service.js';

/** What a supervisor knows of its service and its host. */
export interface SupervisorContext {
  readonly clock: Clock;
  /** Chance, from 0 up to 1, for the jitter. */
  readonly random: () => number;
  readonly notify: Notify;
  readonly scopes: readonly WorkScope[];
  readonly tier: ServiceTier;
  /** The argument of the service at each start. */
  readonly given: ServiceContext;
  /** Caps the stop. Infinity: its deadline alone. */
  readonly stopTimeoutMs: number;
  /** Whether returning from `start` without an error is the end of its work, not a failure. */
  readonly completes: boolean;
  /** Whether the host shuts down, so that a service may end before its turn to be stopped. */
  readonly isStopping: () => boolean;
  /** Called once, when the service is not restarted any more. */
  readonly onFailed: (error: Error) => void;
}
