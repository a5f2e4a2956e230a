import type { HealthMountOptions } from '../../health/health-handler.js';
import type { HealthRegistryOptions } from '../../health/health-registry.js';

/** Where health is served, what is checked, and who may see the details. */
export interface HealthModuleOptions
  extends HealthMountOptions, Omit<HealthRegistryOptions, 'clock'> {}
