import { enterApp } from '@apix/calls/nest';
import { runInCall } from '@apix/contracts';
import type { DescService } from '@bufbuild/protobuf';
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type ModuleMetadata,
} from '@nestjs/common';
import { DiscoveryModule, HttpAdapterHost } from '@nestjs/core';
import type { CallDefaults } from '../../client/client-options.js';
import type { ClientInit } from '../../client/create-client.js';
import { GrpcServer } from '../grpc-server.js';
import { clientToken } from './client-token.js';
import { RequestUnderWay } from './request-under-way.js';
import { type ClientLifetime, GrpcClients } from './grpc-clients.js';

/**
 * Defaults for all clients of the app. Retries are not among them: whether methods may be called twice
 * depends on the service.
 */
export type GrpcClientDefaults = Omit<CallDefaults<DescService>, 'methods' | 'retry' | 'hedge'> &
  Pick<ClientLifetime, 'health' | 'closeTimeout'>;

/** The options of one client. Without `endpoint`, `server` and `channel` it calls the gRPC server of this app. */
export type GrpcClientOptions<S extends DescService> = ClientInit<S> & ClientLifetime;

/** Options that have to be made. */
export interface AsyncOptions<T> extends Pick<ModuleMetadata, 'imports'> {
  /** Providers to inject into `useFactory`. Default: none. */
  readonly inject?: FactoryProvider['inject'];
  /** Makes the options. */
  readonly useFactory: (...injected: never[]) => T | Promise<T>;
}

/** Token of what forRoot says. */
const CLIENT_DEFAULTS = Symbol.for('apix.grpc.ClientDefaults');

/** A separate module, so that there is only one for any number of clients. */
@Module({ imports: [DiscoveryModule], providers: [GrpcClients], exports: [GrpcClients] })
class GrpcClientsModule {
  constructor(@Inject(HttpAdapterHost) adapterHost: HttpAdapterHost) {
    // Why: docs/decisions/0280
    enterApp(adapterHost, {
      place: 'call',
      request: (req, res, run) => runInCall(new RequestUnderWay(req, res), run),
    });
  }
}

/**
 * Clients of other services, injected by `@InjectClient(Catalog)`. Their health is a health source, their
 * figures are a metric source, and they are closed when all that calls has stopped.
 */
@Module({})
export class GrpcClientModule {
  /** Defaults for all clients; may be left out. */
  static forRoot(defaults: GrpcClientDefaults = {}): DynamicModule {
    return GrpcClientModule.forRootAsync({ useFactory: () => defaults });
  }

  /** The same with options that have to be made. */
  static forRootAsync({
    imports = [],
    inject = [],
    useFactory,
  }: AsyncOptions<GrpcClientDefaults>): DynamicModule {
    return {
      module: GrpcClientModule,
      global: true,
      imports: [...imports, GrpcClientsModule],
      providers: [{ provide: CLIENT_DEFAULTS, inject, useFactory }],
      exports: [CLIENT_DEFAULTS],
    };
  }

  /** The client of a generated service. */
  static forFeature<S extends DescService>(
    service: S,
    options: GrpcClientOptions<S> = {},
  ): DynamicModule {
    const { name } = options;
    return GrpcClientModule.forFeatureAsync(service, { name, useFactory: () => options });
  }

  /** The same with options that have to be made. `name`: for one of several clients of a service. */
  static forFeatureAsync<S extends DescService>(
    service: S,
    {
      name,
      imports = [],
      inject = [],
      useFactory,
    }: AsyncOptions<GrpcClientOptions<S>> & Pick<ClientLifetime, 'name'>,
  ): DynamicModule {
    const token = clientToken(service, name);
    const options = Symbol(`${token.description} options`);
    const client: FactoryProvider = {
      provide: token,
      inject: [
        GrpcClients,
        options,
        { token: CLIENT_DEFAULTS, optional: true },
        { token: GrpcServer, optional: true },
      ],
      useFactory: (
        clients: GrpcClients,
        own: GrpcClientOptions<S>,
        defaults?: GrpcClientDefaults,
        server?: GrpcServer,
      ) => clients.create(service, { ...defaults, ...withServer(own, server), name }),
    };
    return {
      module: GrpcClientModule,
      imports: [...imports, GrpcClientsModule],
      providers: [{ provide: options, inject, useFactory }, client],
      exports: [token],
    };
  }
}

function withServer<S extends DescService>(
  options: GrpcClientOptions<S>,
  server: GrpcServer | undefined,
): GrpcClientOptions<S> {
  const isChosen = [options.endpoint, options.server, options.channel].some(
    (it) => it !== undefined,
  );
  return isChosen || server === undefined ? options : { ...options, server };
}
