import {
  HEALTH_SOURCE,
  type HealthCheck,
  type HealthSource,
  IN_PROCESS_SERVER,
  type InProcessServer,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
  POLICY_SOURCE,
  type PolicySource,
  markInfrastructureRequest,
} from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { ProtoRegistry, describePolicies } from '@apix/proto';
import type { Interceptor } from '@grpc/grpc-js';
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Caller, type TransportKind } from '../call/caller.js';
import { Gateway, type RequestHandler, targetOf } from '../http/gateway.js';
import { send } from '../http/send.js';
import { describeBinding, takesRequestStream } from '../rules/binding.js';
import { buildOpenApi } from '../openapi/build-document.js';
import type { OpenApiDocument } from '../openapi/document.js';
import {
  type GatewayModuleOptions,
  type ServerChoice,
  chooseServer,
} from './gateway-module-options.js';
import { GATEWAY_OPTIONS } from './tokens.js';

/** How long a health check waits for the connection to the gRPC server. */
const REACHABLE_WITHIN_MS = 2_000;

/** The app's gateway: its rules, the server that it calls, its figures. */
@Injectable()
export class GatewayRef
  implements OnApplicationBootstrap, OnApplicationShutdown, HealthSource, MetricSource
{
  readonly [HEALTH_SOURCE] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  readonly gateway: Gateway;
  private document: OpenApiDocument | undefined;
  private choice: ServerChoice | undefined;
  private caller: Caller | undefined;

  constructor(
    @Inject(GATEWAY_OPTIONS) private readonly options: GatewayModuleOptions,
    @Inject(ProtoRegistry) private readonly protos: ProtoRegistry,
    @Inject(DiscoveryService) private readonly discovery: DiscoveryService,
  ) {
    this.gateway = new Gateway(protos, () => this.open(), options);
  }

  /** How calls reach the gRPC server. */
  get transport(): TransportKind {
    return this.choose().inProcess === undefined ? 'network' : 'in-process';
  }

  /** The rules as an OpenAPI 3.1 document, with the security that the app's policies ask for. */
  openapi(): OpenApiDocument {
    const { bindings, prefix } = this.gateway;
    this.document ??= buildOpenApi(
      {
        protos: this.protos,
        bindings,
        prefix,
        transcoding: this.options,
        policies: this.policySource(),
      },
      this.options.openapi,
    );
    return this.document;
  }

  /** Serves the gateway, and its OpenAPI document where that was asked for. */
  readonly handle: RequestHandler = (req, res, next) => {
    const path = this.options.openapi?.path;
    const isRead = req.method === 'GET' || req.method === 'HEAD';
    if (path !== undefined && isRead && targetOf(req).path === path) {
      markInfrastructureRequest(req);
      const bytes = Buffer.from(JSON.stringify(this.openapi()));
      send(res, 200, { contentType: 'application/json', bytes });
    } else this.gateway.handle(req, res, next);
  };

  onApplicationBootstrap(): void {
    const { inProcess, endpoint } = this.choose();
    const target = inProcess === undefined ? 'over the network' : 'in this process';
    const { bindings } = this.gateway;
    const logger = new Logger('Gateway');
    logger.log(`${bindings.length} HTTP rules call the gRPC server ${target}`);
    const policies = describePolicies(bindings.map(({ method }) => method));
    // A server in this process checks for itself that its policies are enforced.
    if (inProcess === undefined && policies !== undefined && this.policySource() === undefined) {
      logger.warn(
        `this gateway enforces no policies: the server at ${endpoint} has to, for ${policies}`,
      );
    }
    const unserved =
      this.options.webSockets === undefined ? bindings.filter(takesRequestStream) : [];
    if (unserved.length === 0) return;
    const names = unserved.map(describeBinding).join(', ');
    logger.warn(
      `not served, for want of the option webSockets (@apix/gateway/websocket): ${names}`,
    );
  }

  onApplicationShutdown(): void {
    this.caller?.close();
    this.caller = undefined;
  }

  healthChecks(): readonly HealthCheck[] {
    return [{ name: 'gateway', affects: 'ready', check: () => this.assertReachable() }];
  }

  *metrics(): Iterable<MetricReading> {
    const { active, served } = this.gateway.counts;
    yield {
      name: 'apix.gateway.requests.active',
      kind: 'gauge',
      value: active,
      description: 'REST requests under way',
    };
    for (const [status, value] of served) {
      yield {
        name: 'apix.gateway.requests',
        kind: 'counter',
        value,
        description: 'REST requests that have ended, by HTTP status',
        attributes: { status: String(status), transport: this.transport },
      };
    }
  }

  private policySource(): PolicySource | undefined {
    return discoverMarked<PolicySource>(this.discovery, POLICY_SOURCE)[0];
  }

  private async assertReachable(): Promise<void> {
    await this.open().waitForReady(Date.now() + REACHABLE_WITHIN_MS);
  }

  private choose(): ServerChoice {
    this.choice ??= chooseServer(
      this.options,
      discoverMarked<InProcessServer>(this.discovery, IN_PROCESS_SERVER),
    );
    return this.choice;
  }

  private open(): Caller {
    if (this.caller !== undefined) return this.caller;
    const { endpoint, inProcess } = this.choose();
    const { credentials, channelOptions } = this.options;
    this.caller = new Caller({
      endpoint,
      credentials,
      channelOptions,
      inProcess: inProcess?.clientInterceptor({ forwarded: true, handOver: true }) as
        Interceptor | undefined,
    });
    return this.caller;
  }
}
