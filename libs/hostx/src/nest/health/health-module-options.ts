import type { HealthMountOptions } from '../../health/health-handler.js';
import type { HealthRegistryOptions } from '../../health/health-registry.js';

/** Where health is served, what is checked, and who may see the details. */
export interface HealthModuleOptions
  extends HealthMountOptions, Omit<HealthRegistryOptions, 'clock'> {
  /**
   * Whether an app without a host is ready as soon as Nest has bootstrapped it. False: not until it calls
   * `HealthRegistry.setReady(true)`, as with a registry without Nest. With a host its state decides. Default: true.
   */
  readonly readyWithNest?: boolean;
}
