import { callMethodOf, type ProtoRegistry } from '@apix/proto';
import { describePolicies } from '@apix/proto/internal';
import type { DescService } from '@bufbuild/protobuf';
import { orderStages } from '@apix/calls';
import { stageInterceptor } from '@apix/calls/grpc';
import {
  type CallMethod,
  type CallStage,
  type Deadline,
  type MetricReading,
  deadlineAfter,
  thrownText,
} from '@apix/contracts';
import type { MethodDefinition } from '@grpc/grpc-js';
import { Logger } from '@nestjs/common';
import { GrpcSetupError } from '@apix/grpc-client/core';
import { GrpcMethodStreamingType, ServerGrpc } from '../npm-install/@nestjs/microservices.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { addressOf } from '../server/address.js';
import { CallCounts } from '../server/call-counts.js';
import { OpenConnections } from '../server/open-connections.js';
import { ConnectionReports } from '../server/connection-reports.js';
import type { ResolvedGrpcOptions } from '../server/grpc-options.js';
import { drain } from '../server/drain.js';
import type { BuiltInService } from '../server/built-in.js';
import { createServer } from '../server/create-server.js';
import type { ListeningServer, NetworkServer } from '../server/network-server.js';
import { InProcessEntry } from '../in-process/in-process-entry.js';
import { servedServices, streamCallsOf } from './handlers.js';
import { withLoaderObjects } from './loader-handler.js';
import { type NestHandler, prepared } from './prepared-handler.js';
import { isGenerated } from './generated-handler.js';
import { directHandler } from './direct-handler.js';
import { knowingItsCall } from './paced.js';

/** How long `app.close()` waits for calls under way where no host runs the server; as the host. */
const CLOSE_TIMEOUT_MS = 30_000;

/**
 * Nest's gRPC transport over descriptors: no `.proto` file is parsed and no proto-loader is used. Every
 * service is added before the port is bound, so that no early caller gets UNIMPLEMENTED.
 */
export class DescriptorStrategy extends ServerGrpc {
  /** The bound port; 0 before. */
  port = 0;
  /** The server behind it; undefined before `listen`. */
  server: NetworkServer | undefined;
  /** The interceptors of every call, in this order; empty before `listen`. */
  stageNames: readonly string[] = [];
  /** Of all its calls, since it last began to listen. */
  counts = new CallCounts();
  /** The entry point of calls from the same process. */
  readonly inProcess = new InProcessEntry();
  /** Handlers of `@GrpcService`, which are typed by generated code. */
  private readonly generated = new WeakSet<object>();
  private readonly unhooked = this.onProcessingStartHook;
  private release = (): void => {};
  private listening: Pick<ListeningServer, 'drain'> = { drain: () => Promise.resolve(true) };
  private readonly log = new Logger('GrpcModule');
  private readonly reports: ConnectionReports;
  private readonly connections: OpenConnections;

  constructor(
    private readonly registry: ProtoRegistry,
    private readonly settings: ResolvedGrpcOptions,
    private readonly stages: (served: readonly DescService[]) => readonly CallStage[],
    private readonly builtIns: (served: readonly DescService[]) => readonly BuiltInService[],
  ) {
    // The base class loads what `protoLoader` names; grpc-js is there anyway.
    super({ package: '', protoLoader: '@grpc/grpc-js' });
    this.reports = new ConnectionReports((text) => this.log.warn(text), settings.maxConnections);
    this.connections = new OpenConnections(settings.maxConnections, (peer) =>
      this.reports.onRefused(peer),
    );
  }

  override addHandler(
    pattern: unknown,
    handler: NestHandler,
    isEvent?: boolean,
    extras?: object,
  ): void {
    if (extras !== undefined && isGenerated(extras)) this.generated.add(handler);
    super.addHandler(pattern, handler as Parameters<ServerGrpc['addHandler']>[1], isEvent);
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    // The app's own main may start the microservices, and the host starts its services.
    if (this.server !== undefined) return callback();
    try {
      const { services } = this.served();
      const builtIns = this.builtIns(services);
      this.release = () => builtIns.forEach((builtIn) => builtIn.release());
      const stages = orderStages(this.stages(services));
      this.stageNames = stages.map(({ name }) => name);
      this.counts = new CallCounts();
      const server = createServer(this.settings, {
        stages: stageInterceptor(
          [this.counts.stage, ...stages],
          this.methodLookup(builtIns),
          services.flatMap(({ methods }) => methods.map(callMethodOf)),
        ),
        describe: (path) => this.registry.method(path),
        onMisuse: (peer, reason) => this.reports.onMisuse(peer, reason),
        connections: this.connections,
      });
      await this.addServices(server, services);
      for (const { desc, handlers } of builtIns)
        server.addService(serviceDefinition(desc), handlers);
      this.server = server;
      const listening = await server.listenAt(this.settings);
      this.port = listening.port;
      this.listening = listening;
      this.inProcess.serve(server);
      this.report([...services, ...builtIns.map(({ desc }) => desc)]);
      callback();
    } catch (error) {
      this.server = undefined;
      callback(error);
    }
  }

  *metrics(): Iterable<MetricReading> {
    yield* this.counts.metrics();
    yield* this.connections.metrics();
    yield* this.reports.metrics();
  }

  /** Drains the server. @throws Error when calls had to be cut off at the deadline. */
  async stop(deadline: Deadline): Promise<void> {
    if (this.server === undefined) return;
    this.release();
    await drain(this.listening, deadline, this.inProcess).finally(() => this.reports.stop());
  }

  /** For an app without a host; where there is one, {@link stop} was called before. */
  override async close(): Promise<void> {
    const deadline = deadlineAfter(CLOSE_TIMEOUT_MS);
    try {
      await this.stop(deadline);
    } catch (error) {
      this.log.warn(thrownText(error));
    } finally {
      deadline.dispose();
      this.server = undefined;
    }
  }

  /**
   * Checks the methods that the handlers serve, and that their policies are enforced, once the app's
   * controllers are registered.
   */
  checkHandlers(): void {
    const { services, mistakes, unimplemented } = this.served();
    const unread = this.settings.loader && streamCallsOf(this.messageHandlers.keys());
    const all = [...mistakes, ...(unread ?? [])];
    if (all.length > 0) throw new GrpcSetupError(all);
    orderStages(this.stages(services));
    if (unimplemented.length > 0) {
      this.log.warn(`no handler serves ${unimplemented.join(', ')}: callers get UNIMPLEMENTED`);
    }
  }

  override createServiceMethod(
    registered: NestHandler,
    definition: Pick<MethodDefinition<unknown, unknown>, 'path' | 'responseStream'>,
    streaming: GrpcMethodStreamingType,
  ): NestHandler {
    const handler = this.inItsForm(registered, definition.path);
    const nestWay = (given: NestHandler): NestHandler =>
      super.createServiceMethod(
        prepared(given, definition.responseStream, streaming),
        definition,
        streaming,
      ) as NestHandler;
    const plain = nestWay(handler);
    if (streaming === GrpcMethodStreamingType.NO_STREAMING && !definition.responseStream) {
      const direct = directHandler(handler, this.stageNames, nestWay);
      if (direct === undefined) return plain;
      return (call, answered) => (this.isHooked() ? plain : direct)(call, answered);
    }
    return definition.responseStream ? knowingItsCall(definition.path, plain) : plain;
  }

  /** The handler as it is, or one for objects of proto-loader. */
  private inItsForm(handler: NestHandler, path: string): NestHandler {
    const { loader } = this.settings;
    const method = this.registry.method(path);
    if (loader === undefined || method === undefined || this.generated.has(handler)) return handler;
    return withLoaderObjects(handler, method, loader);
  }

  /** Whether the app follows each call by a hook of Nest's server. */
  private isHooked(): boolean {
    return this.onProcessingStartHook !== this.unhooked || this.onProcessingEndHook !== undefined;
  }

  private methodLookup(
    builtIns: readonly BuiltInService[],
  ): (fullName: string) => CallMethod | undefined {
    const own = builtIns.flatMap(({ desc }) => desc.methods.map(callMethodOf));
    const builtIn = new Map(own.map((method) => [method.fullName, method]));
    return (fullName) => {
      const method = this.registry.method(fullName);
      return method === undefined ? builtIn.get(fullName) : callMethodOf(method);
    };
  }

  private async addServices(
    server: NetworkServer,
    services: readonly DescService[],
  ): Promise<void> {
    for (const service of services) {
      const definition = serviceDefinition(service);
      const handlers = await this.createService({ prototype: definition }, service.name);
      server.addService(definition, handlers);
    }
  }

  private report(services: readonly DescService[]): void {
    const served = new Set(services.map(({ typeName }) => typeName));
    const where = addressOf(this.settings.host, this.port);
    const names = [...served].join(', ') || 'nothing';
    this.log.log(`serves ${names} at ${where}; stages: ${this.stageNames.join(', ') || 'none'}`);
    const open = describePolicies(services.flatMap(({ methods }) => methods));
    if (open !== undefined && !this.stageNames.includes('authz')) {
      this.log.warn(`anyone may call ${open}, because the option unenforcedPolicies allows it`);
    }
    const others = this.registry.services.filter(({ typeName }) => !served.has(typeName));
    if (others.length === 0) return;
    this.log.log(`no controller serves ${others.map(({ typeName }) => typeName).join(', ')}`);
  }

  private served(): ReturnType<typeof servedServices> {
    return servedServices(this.registry.services, this.messageHandlers.keys());
  }
}
