import { HEALTH_SOURCE, type HealthSource } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { HOST_EXTENSION, type HostBuilder, type HostExtension } from '@apix/hostx';
import { ConfigurableModuleBuilder, Inject, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { type BindSystemdOptions, bindSystemd } from '../sdnotify/bind-systemd.js';
import { allAlive } from './all-alive.js';

/** As for `bindSystemd`. By default the app is healthy while all its `live` health checks pass. */
export type SystemdModuleOptions = BindSystemdOptions;

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<SystemdModuleOptions>().setClassMethodName('forRoot').build();

@Injectable()
class SystemdExtension implements HostExtension {
  readonly [HOST_EXTENSION] = true as const;

  constructor(
    @Inject(MODULE_OPTIONS_TOKEN) private readonly options: SystemdModuleOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  extend(builder: HostBuilder): void {
    const sources = discoverMarked<HealthSource>(this.discovery, HEALTH_SOURCE);
    bindSystemd(builder, { healthy: () => allAlive(sources), ...this.options });
  }
}

/** Tells systemd what the host of the app does; nothing where the app was not started by it. */
@Module({ imports: [DiscoveryModule], providers: [SystemdExtension] })
export class SystemdModule extends ConfigurableModuleClass {}
