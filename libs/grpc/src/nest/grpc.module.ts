import { ExceptionsModule } from '@apix/calls/nest';
import { ConfigurableModuleBuilder, Global, type INestApplication, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { type GrpcModuleOptions, resolveGrpcOptions } from '../server/grpc-options.js';
import { GrpcHealth } from './grpc-health.js';
import { GrpcServer } from './grpc-server.js';
import { GRPC_OPTIONS, GRPC_SETTINGS } from './tokens.js';

const { ConfigurableModuleClass } = new ConfigurableModuleBuilder<GrpcModuleOptions>({
  optionsInjectionToken: GRPC_OPTIONS,
})
  .setClassMethodName('forRoot')
  .build();

/**
 * Serves the app's gRPC controllers from the descriptors of `ProtoModule`. Global. Every call
 * passes the stages that other modules offer (log, authz, validation) before a message is
 * decoded; importing such a module is all it takes.
 */
@Global()
@Module({
  imports: [DiscoveryModule, ExceptionsModule],
  providers: [
    { provide: GRPC_SETTINGS, inject: [GRPC_OPTIONS], useFactory: resolveGrpcOptions },
    GrpcHealth,
    GrpcServer,
  ],
  exports: [GrpcServer],
})
export class GrpcModule extends ConfigurableModuleClass {}

/**
 * Connects the gRPC server of an app that has a main of its own instead of `runHost`: call it
 * before `app.init()` or `app.listen()`. With `HostxModule` the server starts and stops with the
 * app's other services.
 */
export function connectGrpc(app: INestApplication): void {
  app.get(GrpcServer, { strict: false }).attach(app);
}
