import {
  type HealthCheck,
  HealthSource,
  IN_PROCESS_SERVER,
  OUTGOING_STAGE,
  type OutgoingStage,
} from '@apix/contracts';
import type { InProcessServer } from '@apix/calls';
import { discoverMarked } from '@apix/contracts/nest';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { inProcessUpstream } from '../upstream/in-process-upstream.js';
import { networkUpstream } from '../upstream/network-upstream.js';
import type { TransportKind, Upstream } from '../upstream/upstream.js';
import {
  GATEWAY_OPTIONS,
  type GatewayModuleOptions,
  RECEIVE_LIMIT,
  type ServerChoice,
  channelOptionsOf,
  chooseServer,
} from './gateway-module-options.js';

/** How long a health check waits for the connection to the gRPC server. */
const REACHABLE_WITHIN_MS = 2_000;

/** The server that the app's gateway calls: chosen at start, opened with the first call. */
@Injectable()
@HealthSource()
export class GatewayUpstream implements HealthSource, OnApplicationShutdown {
  private choice: ServerChoice | undefined;
  private upstream: Upstream | undefined;

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {}

  get transport(): TransportKind {
    return this.choose().transport;
  }

  /** @throws GatewayConfigError when there is no server to call. */
  choose(): ServerChoice {
    this.choice ??= chooseServer(
      this.options,
      discoverMarked<InProcessServer>(this.discovery, IN_PROCESS_SERVER),
    );
    return this.choice;
  }

  readonly open = (): Upstream => (this.upstream ??= this.make());

  healthChecks(): readonly HealthCheck[] {
    const check = (): Promise<void> => this.open().waitForReady(Date.now() + REACHABLE_WITHIN_MS);
    return [{ name: 'gateway', affects: 'ready', check }];
  }

  onApplicationShutdown(): void {
    this.upstream?.close();
    this.upstream = undefined;
  }

  private make(): Upstream {
    const choice = this.choose();
    const { credentials, connectTimeout, stack } = this.options;
    const channelOptions = channelOptionsOf(this.options);
    if (choice.transport === 'in-process') {
      const maxReceiveBytes = channelOptions[RECEIVE_LIMIT];
      return inProcessUpstream(choice.server, { maxReceiveBytes });
    }
    const { endpoint } = choice;
    const stages = discoverMarked<OutgoingStage>(this.discovery, OUTGOING_STAGE);
    return networkUpstream({
      endpoint,
      credentials,
      channelOptions,
      connectTimeout,
      stack,
      stages,
    });
  }
}
