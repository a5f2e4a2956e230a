import {
  type Duration,
  type HealthCheck,
  HealthSource,
  type MetricReading,
  MetricSource,
  OUTGOING_STAGE,
  type OutgoingStage,
  Reloadable,
  deadlineAfter,
} from '@apix/contracts';
import {
  checkedOptions,
  DURATION,
  FLAG,
  type OptionTable,
  STRING,
  withDefault,
} from '@apix/contracts/internal';
import type { DescService } from '@bufbuild/protobuf';
import { discoverMarked } from '@apix/contracts/nest';
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ClientChannel } from '../call/client-channel.js';
import {
  CLIENT_INIT,
  type ClientInit,
  channelOf,
  createClient,
  putAround,
} from '../client/create-client.js';
import type { Client } from '../client/client-types.js';
import type { ClientStage } from '../stages/client-stage.js';
import { ClientCounts } from '../stages/client-counts.js';
import { setupError } from '../errors.js';

/** Options of a client of the module in addition to those of `createClient`. */
export interface ClientLifetime {
  /** For one of several clients of a service. Default: none. */
  readonly name?: string | undefined;
  /**
   * Whether the instance is unready while the last attempt to reach the server has failed. Default:
   * true.
   */
  readonly health?: boolean | undefined;
  /** How long a stop waits for calls that still run when all services have stopped. Default: '5s'. */
  readonly closeTimeout?: Duration | undefined;
}

/** The allowed values of the options that only the module has. */
export const CLIENT_LIFETIME = {
  name: withDefault(STRING, ''),
  health: withDefault(FLAG, true),
  closeTimeout: withDefault(DURATION, 5_000),
} satisfies OptionTable<ClientLifetime>;

const CLIENT_OPTIONS = { ...CLIENT_INIT, ...CLIENT_LIFETIME };

interface OpenClient {
  readonly client: object;
  /** Stages of the app that its calls pass already. */
  readonly outer: Set<OutgoingStage>;
  readonly label: string;
  readonly channel: ClientChannel;
  readonly isWatched: boolean;
  readonly closeTimeoutMs: number;
  readonly stages: readonly ClientStage[];
}

/** All clients of the app: their health, their figures, their certificates and their end. */
@Injectable()
@HealthSource()
@MetricSource()
@Reloadable()
export class GrpcClients
  implements HealthSource, MetricSource, Reloadable, OnModuleInit, OnApplicationShutdown
{
  readonly name = 'grpc clients';
  private readonly counts = new ClientCounts();
  private readonly open: OpenClient[] = [];

  constructor(@Inject(DiscoveryService) private readonly discovery: DiscoveryService) {}

  /** @throws GrpcSetupError that lists every mistake in the options. */
  create<S extends DescService>(service: S, init: ClientInit<S> & ClientLifetime): Client<S> {
    const own = checkedOptions(CLIENT_OPTIONS, init, setupError);
    const { name, health, closeTimeout, stages, ...options } = {
      ...init,
      name: own.name,
      health: own.health,
      closeTimeout: own.closeTimeout,
      stages: own.stages,
    };
    const client = createClient<S>(service, {
      ...(options as ClientInit<S>),
      stages: [this.counts, ...stages],
    });
    const label = name === '' ? service.typeName : `${service.typeName} (${name})`;
    this.open.push({
      client,
      outer: new Set(),
      label,
      channel: channelOf(client),
      isWatched: health,
      closeTimeoutMs: closeTimeout,
      stages,
    });
    this.wrapClients();
    return client;
  }

  /** Stages of the app may be made after its clients. */
  onModuleInit(): void {
    this.wrapClients();
  }

  /** Puts the stages of the app around each client that has not all of them. */
  private wrapClients(): void {
    const found = discoverMarked<OutgoingStage>(this.discovery, OUTGOING_STAGE);
    for (const { client, outer } of this.open) {
      const added = found.filter((stage) => !outer.has(stage));
      if (added.length > 0) putAround(client, added);
      for (const stage of added) outer.add(stage);
    }
  }

  healthChecks(): readonly HealthCheck[] {
    const watched = this.open.filter(({ isWatched }) => isWatched);
    const reachable = watched.map(({ label, channel }): HealthCheck => ({
      name: `grpc client ${label}`,
      affects: 'ready',
      check() {
        if (channel.state === 'failing') {
          throw new Error(`grpc: ${label} at ${channel.target} cannot be reached`);
        }
      },
    }));
    const ofStages = stagesOf(watched).flatMap((stage) => stage.healthChecks?.() ?? []);
    return [...reachable, ...ofStages];
  }

  /** `apix.grpc.client.calls.active`, `apix.grpc.client.calls` by service, method and code, and those of stages. */
  *metrics(): Iterable<MetricReading> {
    yield* this.counts.metrics();
    for (const stage of stagesOf(this.open)) yield* stage.metrics?.() ?? [];
  }

  /** Reads certificates again. Calls under way stay on their connections. */
  reload(): void {
    for (const { channel } of this.open) channel.reload();
  }

  /** When everything that makes calls has stopped. */
  async onApplicationShutdown(): Promise<void> {
    await Promise.all(
      this.open.splice(0).map(async ({ channel, closeTimeoutMs }) => {
        const deadline = deadlineAfter(closeTimeoutMs);
        await channel.close(deadline);
        deadline.dispose();
      }),
    );
  }
}

/** Each once, however many clients share it. */
function stagesOf(clients: readonly OpenClient[]): readonly ClientStage[] {
  return [...new Set(clients.flatMap(({ stages }) => stages))];
}
