import type { Duration } from '@apix/contracts';
import { SetMetadata } from '@nestjs/common';
import type { Hosted } from '../service.js';
import type { RestartPolicy } from '../supervision/restart-policy.js';

/**
 * Services of tier `transport` bring work into the process. They start after every service of
 * tier `service` and so stop before them.
 */
export type ServiceTier = 'service' | 'transport';

export interface HostedServiceOptions {
  /** Unique in the host; used in messages, states and metrics. */
  readonly name: string;
  /**
   * What happens when it ends early; `'on-failure'`: it is restarted after an error, with the
   * defaults of a policy, and `completes`. Default: the whole host stops, naming it.
   */
  readonly restart?: RestartPolicy | 'on-failure';
  /**
   * Whether `start` may return: without an error it has completed then, and is not restarted, the host
   * continues, and the services after it need not wait for it any longer. Default: false, but true where
   * `restart` is 'on-failure'.
   */
  readonly completes?: boolean;
  /**
   * Names of the services that must be ready first; those alone, so that `[]` starts at once.
   * Default: every service registered before it.
   */
  readonly after?: readonly string[];
  /** Default: 'service'. */
  readonly tier?: ServiceTier;
  /** Caps its stop, so that others have time left. Default: the option `stopTimeout` of the host. */
  readonly stopTimeout?: Duration;
}

/** Key of the options on a hosted class; a text, so that two installed copies agree. */
export const HOSTED_SERVICE = 'apix:HostedService';

/** Registers a provider of any module as a service of the host; it must be a singleton. */
export function HostedService(
  options: HostedServiceOptions,
): (target: abstract new (...args: never[]) => Hosted) => void {
  return (target) => {
    SetMetadata(HOSTED_SERVICE, options)(target);
  };
}
