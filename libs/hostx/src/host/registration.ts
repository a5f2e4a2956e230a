import type { Duration } from '@apix/contracts';
import type { Service } from '../service.js';
import type { ResolvedRestartPolicy, RestartPolicy } from '../supervision/restart-policy.js';

export interface AddServiceOptions {
  /**
   * What happens when it ends early; `'on-failure'`: it is restarted after an error, with the
   * defaults of a policy, and `completes`. Default: the whole host stops, naming it.
   */
  readonly restart?: RestartPolicy | 'on-failure' | undefined;
  /**
   * Whether `start` may return: without an error it has completed then, and is not restarted, the host
   * continues, and the services after it need not wait for it any longer. Default: false, but true where
   * `restart` is 'on-failure'.
   */
  readonly completes?: boolean | undefined;
  /**
   * Names of the services that must be ready first; those alone, so that `[]` starts at once.
   * Default: every service added before it.
   */
  readonly after?: readonly string[] | undefined;
  /** A `transport` starts after every `service` and so stops before. Default: 'service'. */
  readonly tier?: 'service' | 'transport' | undefined;
  /** Caps its stop, so that others have time left. Default: that of `withStopTimeout`. */
  readonly stopTimeout?: Duration | undefined;
}

export interface AddStartupTaskOptions {
  /**
   * Whether it runs inside the work scopes. False for a task that sets up what outlives it: all
   * of that would log under the task's name. Default: true.
   */
  readonly scoped?: boolean | undefined;
}

/** A service that was added, its options checked. */
export interface Registration {
  readonly service: Service;
  readonly restart: ResolvedRestartPolicy | null;
  readonly completes: boolean;
  /** Null: that of all services. */
  readonly stopTimeoutMs: number | null;
  readonly options: AddServiceOptions;
}
