import { enterApp } from '@apix/calls/internal-nest';
import { IN_PROCESS_SERVER, OptionsError } from '@apix/contracts';
import {
  runInCall,
  anyValue,
  callable,
  checkedOptions,
  type OptionTable,
  required,
} from '@apix/contracts/internal';
import type { InProcessServer } from '@apix/calls';
import { checkedFactory } from '@apix/contracts/internal-nest';
import type { DescService } from '@bufbuild/protobuf';
import {
  type DynamicModule,
  type FactoryProvider,
  Inject,
  Module,
  type ModuleMetadata,
} from '@nestjs/common';
import { DiscoveryModule, HttpAdapterHost } from '@nestjs/core';
import { CALL_DEFAULTS, type CallDefaults } from '../client/client-options.js';
import type { ClientInit } from '../client/create-client.js';
import { setupError } from '../errors.js';
import { clientToken } from './client-token.js';
import { RequestUnderWay } from './request-under-way.js';
import { CLIENT_LIFETIME, type ClientLifetime, GrpcClients } from './grpc-clients.js';

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

const { timeout, waitForReady, inherit, authorization, stages } = CALL_DEFAULTS;
const { health, closeTimeout } = CLIENT_LIFETIME;

const CLIENT_DEFAULT_OPTIONS = {
  timeout,
  waitForReady,
  inherit,
  authorization,
  stages,
  health,
  closeTimeout,
} satisfies OptionTable<GrpcClientDefaults>;

const ASYNC_OPTIONS = {
  imports: anyValue(),
  inject: anyValue(),
  useFactory: required(callable(), undefined),
} satisfies OptionTable<AsyncOptions<object>>;

const ASYNC_CLIENT_OPTIONS = { ...ASYNC_OPTIONS, name: CLIENT_LIFETIME.name };

/** Token of what forRoot says. */
const CLIENT_DEFAULTS = Symbol.for('apix.grpc.ClientDefaults');

/** A separate module, so that there is only one for any number of clients. */
@Module({ imports: [DiscoveryModule], providers: [GrpcClients], exports: [GrpcClients] })
class GrpcClientsModule {
  constructor(@Inject(HttpAdapterHost) adapterHost: HttpAdapterHost) {
    // Why: docs/decisions/0259
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
  static forRootAsync(options: AsyncOptions<GrpcClientDefaults>): DynamicModule {
    const name = 'grpc: GrpcClientModule';
    checkedOptions(
      ASYNC_OPTIONS,
      options,
      (found) => new OptionsError(`${name}.forRootAsync`, found),
    );
    const { imports = [], inject = [] } = options;
    const useFactory = checkedFactory(name, options.useFactory, (defaults) =>
      checkedOptions(CLIENT_DEFAULT_OPTIONS, defaults, setupError),
    );
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
    options: AsyncOptions<GrpcClientOptions<S>> & Pick<ClientLifetime, 'name'>,
  ): DynamicModule {
    const subject = `grpc: GrpcClientModule of ${service.typeName}`;
    checkedOptions(
      ASYNC_CLIENT_OPTIONS,
      options,
      (found) => new OptionsError(`${subject}.forFeatureAsync`, found),
    );
    const { name, imports = [], inject = [] } = options;
    const useFactory = checkedFactory(subject, options.useFactory);
    const token = clientToken(service, name);
    const made = Symbol(`${token.description} options`);
    const client: FactoryProvider = {
      provide: token,
      inject: [
        GrpcClients,
        made,
        { token: CLIENT_DEFAULTS, optional: true },
        { token: IN_PROCESS_SERVER, optional: true },
      ],
      useFactory: (
        clients: GrpcClients,
        own: GrpcClientOptions<S>,
        defaults?: GrpcClientDefaults,
        server?: InProcessServer,
      ) => clients.create(service, { ...defaults, ...withServer(own, server), name }),
    };
    return {
      module: GrpcClientModule,
      imports: [...imports, GrpcClientsModule],
      providers: [{ provide: made, inject, useFactory }, client],
      exports: [token],
    };
  }
}

function withServer<S extends DescService>(
  options: GrpcClientOptions<S>,
  server: InProcessServer | undefined,
): GrpcClientOptions<S> {
  const isChosen = [options.endpoint, options.server, options.channel].some(
    (it) => it !== undefined,
  );
  return isChosen || server === undefined ? options : { ...options, server };
}
