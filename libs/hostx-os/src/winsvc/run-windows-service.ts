import type { HostBuilder } from '@apix/hostx/core';
import { windowsService } from './windows-service.js';

export interface RunWindowsServiceOptions {
  /** The name under which the service was installed. Default: 'hostx'. */
  readonly name?: string;
}

/**
 * Builds the host and runs it as a service of Windows; a plain `host.run()` where the process was
 * not started by the service control manager. Rejects as `run` does.
 */
export function runWindowsService(
  builder: HostBuilder,
  { name = 'hostx' }: RunWindowsServiceOptions = {},
): Promise<void> {
  const service = windowsService(name);
  service.extend(builder);
  return service.run(builder.build());
}
