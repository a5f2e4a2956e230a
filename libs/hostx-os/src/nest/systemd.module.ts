import { HEALTH_SOURCE, type HealthSource, OptionsError, ownProcessMark } from '@apix/contracts';
import { healthChecksOf, runHealthCheck } from '@apix/contracts/internal';
import { discoverMarked } from '@apix/contracts/nest';
import { optionsModule } from '@apix/contracts/internal-nest';
import { type HostBuilder, HostExtension } from '@apix/hostx';
import { type DynamicModule, Inject, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import {
  type BindSystemdOptions,
  bindSystemd,
  NOTIFY_VARIABLE,
  readSystemdOptions,
} from '../sdnotify/bind-systemd.js';
import { SYSTEMD_OPTIONS } from './tokens.js';

/** As for `bindSystemd`. By default the app is healthy while all its `live` health checks pass. */
export type SystemdModuleOptions = BindSystemdOptions;

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  SystemdModuleOptions,
  'createSystemdOptions'
>({
  name: 'hostx-os: SystemdModule',
  token: SYSTEMD_OPTIONS,
  factoryMethod: 'createSystemdOptions',
});

@Injectable()
@HostExtension()
class SystemdExtension implements HostExtension {
  constructor(
    @Inject(SYSTEMD_OPTIONS) private readonly options: SystemdModuleOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {
    // Also in an app without a host, which would never read them.
    readSystemdOptions(options);
    if (ownProcessMark() === null || process.env[NOTIFY_VARIABLE] === undefined) return;
    throw new OptionsError('hostx-os: SystemdModule', [
      'of an app in several processes, systemd listens to the parent alone; call bindSystemd in processes.parent',
    ]);
  }

  extend(builder: HostBuilder): void {
    const sources = discoverMarked<HealthSource>(this.discovery, HEALTH_SOURCE);
    bindSystemd(builder, { healthy: () => allAlive(sources), ...this.options });
  }
}

/**
 * Reports to systemd what the host of the app does; does nothing if systemd did not start the process. It
 * exports nothing, so that `isGlobal` (default: true) has no effect.
 */
@Module({ imports: [DiscoveryModule], providers: [SystemdExtension] })
export class SystemdModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}

/** Resolves with whether every `live` check passes; one that hangs keeps it from resolving. */
async function allAlive(sources: readonly HealthSource[]): Promise<boolean> {
  const checks = sources.flatMap(healthChecksOf).filter(({ affects }) => affects === 'live');
  const { signal } = new AbortController();
  const results = await Promise.allSettled(checks.map((check) => runHealthCheck(check, signal)));
  return results.every(({ status }) => status === 'fulfilled');
}
