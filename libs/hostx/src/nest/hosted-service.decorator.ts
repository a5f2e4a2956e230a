import { SetMetadata } from '@nestjs/common';
import type { AddServiceOptions } from '../host/registration.js';
import type { Hosted } from '../service.js';

export interface HostedServiceOptions extends AddServiceOptions {
  /** Unique in the host; used in messages, states and metrics. */
  readonly name: string;
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
