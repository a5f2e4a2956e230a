import { markClass } from '@apix/contracts';
import type { HostBuilder } from '../host/host-builder.js';

/** Carried by a provider that adds to the host what decorators cannot say. */
export const HOST_EXTENSION = Symbol.for('apix.hostx.HostExtension');

/**
 * Called once, when the host is built: to add services created at run time, observers, tasks or hooks. Its
 * additions take the provider's place in the registration order.
 */
export interface HostExtension {
  readonly [HOST_EXTENSION]?: true;
  extend(builder: HostBuilder): void;
}

/** Marks a provider that adds to the host. The same as a property `[HOST_EXTENSION] = true`. */
export function HostExtension(): ClassDecorator {
  return markClass(HOST_EXTENSION);
}
