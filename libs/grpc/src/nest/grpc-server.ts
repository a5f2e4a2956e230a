import {
  CALL_STAGE,
  type CallStage,
  type Deadline,
  IN_PROCESS_SERVER,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
  POLICY_SOURCE,
  RELOADABLE,
  type Reloadable,
} from '@apix/contracts';
import { isCallStage, untilAborted } from '@apix/contracts/internal';
import type { Call, CallHead, CallListener, InProcessServer, InProcessSettings } from '@apix/calls';
import { discoverMarked } from '@apix/contracts/nest';
import { type DrainBegin, type Hosted, HostedService } from '@apix/hostx';
import { APP_ATTACHMENT, type AppAttachment, type AttachContext } from '@apix/hostx/internal-nest';
import { type ProtoRegistry } from '@apix/proto';
import { describePolicies } from '@apix/proto/internal';
import type { DescService } from '@bufbuild/protobuf';
import type { Interceptor } from '@grpc/grpc-js';
import type { INestApplication, INestMicroservice } from '@nestjs/common';
import { Inject } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { GrpcSetupError } from '@apix/grpc-client/core';
import type { ResolvedGrpcOptions } from '../server/grpc-options.js';
import { localAddressOf } from '../server/address.js';
import { builtInServices } from '../server/built-in-services.js';
import { DescriptorStrategy } from './descriptor-strategy.js';
import { notingHandlers } from './direct-handler.js';
import { GrpcHealth } from './grpc-health.js';
import { GRPC_PROTOS, GRPC_SETTINGS } from './tokens.js';

/** The app's gRPC server, a hosted service that starts after the others and stops before them. */
@HostedService({ name: 'grpc', tier: 'transport' })
export class GrpcServer
  implements Hosted, AppAttachment, InProcessServer, MetricSource, Reloadable
{
  readonly [IN_PROCESS_SERVER] = true as const;
  readonly [APP_ATTACHMENT] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  readonly [RELOADABLE] = true as const;
  readonly name = 'grpc';
  private readonly strategy: DescriptorStrategy;
  /** Absent if the app has its own main, where the app's HTTP server drains first. */
  private drainDelay: AttachContext['drainDelay'] | undefined;
  private microservice: INestMicroservice | undefined;
  private listening: Promise<unknown> = Promise.resolve();

  constructor(
    @Inject(GRPC_SETTINGS) private readonly settings: ResolvedGrpcOptions,
    @Inject(GRPC_PROTOS) registry: ProtoRegistry,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
    @Inject(GrpcHealth) health: GrpcHealth,
  ) {
    this.strategy = new DescriptorStrategy(
      registry,
      settings,
      (served) => this.findStages(served),
      (served) => {
        health.onListen();
        return builtInServices(registry, served, settings, health.state);
      },
    );
  }

  /** The bound port; 0 before the server listens. */
  get port(): number {
    return this.strategy.port;
  }

  /** `host:port`, where a client on this machine reaches it. */
  get address(): string {
    return localAddressOf(this.settings.host, this.port);
  }

  /** The stages that a call passes before its handler, in this order; settled when it listens. */
  get stages(): readonly string[] {
    return this.strategy.stageNames;
  }

  /**
   * Connects the server to the app, once; `runHost` does so by itself, also where a setup that
   * the main shares with tests has done so before.
   */
  attach(app: INestApplication, host?: AttachContext): void {
    this.drainDelay = host?.drainDelay;
    if (this.microservice !== undefined) return;
    this.microservice = notingHandlers(() =>
      app.connectMicroservice({ strategy: this.strategy }, { inheritAppConfig: true }),
    );
    this.strategy.checkHandlers();
  }

  /** The one that it has connected; the host leaves it to this service. */
  get microservices(): readonly INestMicroservice[] {
    return this.microservice === undefined ? [] : [this.microservice];
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.microservice === undefined) {
      throw new GrpcSetupError(['the server is not connected: call connectGrpc(app) before init']);
    }
    this.listening = this.microservice.listen();
    await this.listening;
    await untilAborted(signal);
  }

  async ready(): Promise<void> {
    await this.listening;
  }

  /** @returns for how long it keeps serving, in milliseconds */
  beginDrain(how?: DrainBegin): number {
    return this.drainDelay?.begin(how) ?? 0;
  }

  async stop(deadline: Deadline): Promise<void> {
    await this.drainDelay?.pass(deadline);
    await this.strategy.stop(deadline);
  }

  /**
   * `apix.grpc.calls.active`, `apix.grpc.calls` by service, method and code, and of connections
   * `apix.grpc.connections.active`, `.refused` and `.misused`.
   */
  metrics(): Iterable<MetricReading> {
    return this.strategy.metrics();
  }

  /** Reads the certificates of the option `tls` again; the host calls it when it reloads. */
  reload(): void {
    this.settings.certificates?.reload();
  }

  serves(fullMethodName: string): boolean {
    return this.strategy.inProcess.serves(fullMethodName);
  }

  /**
   * Makes a call in the same process, without a connection, by the same stages and handlers: for an entry
   * point of your own. A server that does not run answers UNAVAILABLE.
   */
  open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
    settings?: InProcessSettings,
  ): Call {
    return this.strategy.inProcess.open(head, listener, settings);
  }

  /** The same for clients of grpc-js in this process, generated ones and ClientGrpc alike. */
  clientInterceptor(settings?: InProcessSettings): Interceptor {
    return this.strategy.inProcess.clientInterceptor(settings);
  }

  /** The stages of the app; refuses to serve policies that none of them enforces. */
  private findStages(served: readonly DescService[]): CallStage[] {
    const stages = discoverMarked<CallStage>(this.discovery, CALL_STAGE).filter(isCallStage);
    if (stages.some(({ name }) => name === 'authz')) return stages;
    if (discoverMarked(this.discovery, POLICY_SOURCE).length > 0) {
      throw new GrpcSetupError([
        'the app has policies, but no authz stage enforces them: import AuthzModule whole',
      ]);
    }
    const policies = describePolicies(served.flatMap(({ methods }) => methods));
    // Why: docs/decisions/0135
    if (policies !== undefined && this.settings.unenforcedPolicies === 'refuse') {
      throw new GrpcSetupError([
        `the app serves ${policies}, but has no authz stage to enforce it: import ` +
          'AuthzModule.forRoot(…) of @apix/authz, or let every caller in with the option ' +
          "unenforcedPolicies: 'allow'",
      ]);
    }
    return stages;
  }
}
