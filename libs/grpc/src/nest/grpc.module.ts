import { ExceptionsModule } from '@apix/calls/nest';
import { IN_PROCESS_SERVER } from '@apix/contracts';
import { optionsModule } from '@apix/contracts/internal-nest';
import { requiredProtos } from '@apix/proto';
import { type DynamicModule, type INestApplication, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type GrpcModuleOptions, resolveGrpcOptions } from '../server/grpc-options.js';
import { GrpcHealth } from './grpc-health.js';
import { GrpcServer } from './grpc-server.js';
import { GRPC_OPTIONS, GRPC_PROTOS, GRPC_SETTINGS } from './tokens.js';

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  GrpcModuleOptions,
  'createGrpcOptions'
>({ name: 'grpc: GrpcModule', token: GRPC_OPTIONS, factoryMethod: 'createGrpcOptions' });

/**
 * Serves the app's gRPC controllers from the descriptors of `ProtoModule`. Every call passes the stages
 * that other modules offer (log, authz, validation) before a message is decoded; importing such a module is
 * all it takes.
 *
 * `isGlobal: false` next to the options provides {@link GrpcServer} only to modules that import this one.
 * Default: true.
 */
@Module({
  imports: [DiscoveryModule, ExceptionsModule],
  providers: [
    { provide: GRPC_SETTINGS, inject: [GRPC_OPTIONS], useFactory: resolveGrpcOptions },
    requiredProtos(GRPC_PROTOS, 'GrpcModule'),
    GrpcHealth,
    GrpcServer,
    { provide: IN_PROCESS_SERVER, useExisting: GrpcServer },
  ],
  exports: [GrpcServer, IN_PROCESS_SERVER],
})
export class GrpcModule extends ConfigurableModuleClass {
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }
}

/**
 * Connects the gRPC server of an app that has its own main instead of `runHost`: call it before
 * `app.init()` or `app.listen()`. With `HostxModule` the server starts and stops with the app's other
 * services. In the `configure` of `runHost`, which connects it anyway, it does nothing.
 */
export function connectGrpc(app: INestApplication): void {
  app.get(GrpcServer, { strict: false }).attach(app);
}
