import { HEALTH_SOURCE, type HealthSource, systemClock } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { HOST_EXTENSION, type HostBuilder, type HostExtension } from '@apix/hostx';
import { Inject, Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ServingState } from '../health/serving-state.js';
import type { ResolvedGrpcOptions } from '../server/grpc-options.js';
import { GRPC_SETTINGS } from './tokens.js';

/** Whether this instance should get traffic: the host runs, and every health source is well. */
@Injectable()
export class GrpcHealth implements HostExtension, OnModuleDestroy {
  readonly [HOST_EXTENSION] = true as const;
  readonly state: ServingState;
  private readonly log = new Logger('GrpcModule');
  private isHosted = false;

  constructor(
    @Inject(GRPC_SETTINGS) settings: ResolvedGrpcOptions,
    @Inject(DiscoveryService) discovery: DiscoveryService,
  ) {
    this.state = new ServingState({
      sources: () => discoverMarked<HealthSource>(discovery, HEALTH_SOURCE),
      intervalMs: settings.healthInterval,
      clock: systemClock,
      onChange: (failures) => this.report(failures),
    });
  }

  extend(builder: HostBuilder): void {
    this.isHosted = true;
    builder.withObserver({
      hostPhaseChanged: ({ to }) => (to === 'running' ? this.state.open() : this.state.close()),
    });
  }

  /** The server is about to listen; without a host, nothing else reports that the app is up. */
  onListen(): void {
    if (!this.isHosted) this.state.open();
  }

  onModuleDestroy(): void {
    this.state.close();
  }

  private report(failures: readonly string[]): void {
    if (failures.length === 0) this.log.log('health: serving again');
    else this.log.warn(`health: not serving: ${failures.join('; ')}`);
  }
}
