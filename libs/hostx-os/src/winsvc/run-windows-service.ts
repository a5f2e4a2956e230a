import type { HostBuilder } from '@apix/hostx/core';
import { type WindowsServiceOptions, windowsService } from './windows-service.js';

export interface RunWindowsServiceOptions extends WindowsServiceOptions {
  /** The name under which the service was installed. Default: 'hostx'. */
  readonly name?: string;
}

/**
 * Builds the host and runs it as a service of Windows; a plain `host.run()` where the process was
 * not started by the service control manager. Rejects as `run` does.
 */
export function runWindowsService(
  builder: HostBuilder,
  { name = 'hostx', ...options }: RunWindowsServiceOptions = {},
): Promise<void> {
  const service = windowsService(name, options);
  service.extend(builder);
  return service.run(builder.build());
}
