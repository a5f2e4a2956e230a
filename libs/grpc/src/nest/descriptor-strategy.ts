import { callMethodOf, type ProtoRegistry } from '@apix/proto';
import type { CallStage } from '@apix/contracts';
import { noteFailure, stageInterceptor } from '@apix/contracts/grpc';
import type { Metadata, Server } from '@grpc/grpc-js';
import { Logger } from '@nestjs/common';
import { ServerGrpc } from '@nestjs/microservices';
import { GrpcSetupError } from '../errors.js';
import { serviceDefinition } from '../descriptor/service-definition.js';
import { bind } from '../server/bind.js';
import type { ResolvedGrpcOptions } from '../server/grpc-options.js';
import { createServer } from '../server/create-server.js';
import { servedServices } from './handlers.js';

type NestHandler = (...args: unknown[]) => Promise<unknown>;
type ServedCall = {
  readonly metadata: Metadata;
  on(event: 'error', fn: (e: unknown) => void): void;
};
type Callback = (error: unknown, ...rest: unknown[]) => void;

/**
 * Nest's gRPC transport over descriptors: no `.proto` file is parsed and no proto-loader is
 * used. Every service is added before the port is bound, so that no early caller is told that
 * a method does not exist.
 */
export class DescriptorStrategy extends ServerGrpc {
  /** The bound port; 0 before. */
  port = 0;
  /** The server behind it; undefined before `listen`. */
  server: Server | undefined;
  private readonly log = new Logger('GrpcModule');

  constructor(
    private readonly registry: ProtoRegistry,
    private readonly settings: ResolvedGrpcOptions,
    private readonly stages: () => readonly CallStage[],
  ) {
    // The base class loads what `protoLoader` names; grpc-js is there anyway.
    super({ package: '', protoLoader: '@grpc/grpc-js' });
  }

  override async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      const interceptor = stageInterceptor(this.stages(), (fullName) => {
        const method = this.registry.method(fullName);
        return method && callMethodOf(method);
      });
      const server = createServer(this.settings, interceptor);
      this.server = server;
      await this.addServices(server);
      this.port = await bind(server, this.settings);
      callback();
    } catch (error) {
      callback(error);
    }
  }

  /** Ends what still runs; the drain happens before, in {@link GrpcServer}. */
  override close(): Promise<void> {
    this.server?.forceShutdown();
    return Promise.resolve();
  }

  /** What the handlers answer to, once the app's controllers are registered. */
  checkHandlers(): void {
    const { mistakes, unimplemented } = this.served();
    if (mistakes.length > 0) throw new GrpcSetupError(mistakes);
    if (unimplemented.length > 0) {
      this.log.warn(`no handler serves ${unimplemented.join(', ')}: callers get UNIMPLEMENTED`);
    }
  }

  override createServiceMethod(
    ...args: Parameters<ServerGrpc['createServiceMethod']>
  ): NestHandler {
    const method = super.createServiceMethod(...args) as NestHandler;
    return (call, callback) => {
      const served = call as ServedCall;
      const note = (error: unknown): void => noteFailure(served.metadata, causeOf(error));
      served.on('error', note);
      const answer: Callback | undefined =
        typeof callback === 'function'
          ? (error, ...rest) => {
              if (error) note(error);
              (callback as Callback)(error, ...rest);
            }
          : undefined;
      return method(call, answer);
    };
  }

  private async addServices(server: Server): Promise<void> {
    for (const service of this.served().services) {
      const definition = serviceDefinition(service);
      const handlers = await this.createService({ prototype: definition }, service.name);
      server.addService(definition, handlers);
    }
  }

  private served(): ReturnType<typeof servedServices> {
    return servedServices(this.registry.services, this.messageHandlers.keys());
  }
}

/** The exception filter answers with an error of its own, whose cause is the handler's. */
function causeOf(error: unknown): unknown {
  const status = error instanceof Error ? error.cause : undefined;
  return (status instanceof Error ? (status.cause ?? status) : undefined) ?? error;
}
