import { ProtoRegistry } from '@apix/proto';
import { ExceptionsModule } from '@apix/calls/nest';
import { ConfigurableModuleBuilder, Global, Inject, Module } from '@nestjs/common';
import { APP_GUARD, DiscoveryModule, ModuleRef } from '@nestjs/core';
import type { AuthzOptions } from '../decide/authz-options.js';
import { Authorizer } from '../decide/authorizer.js';
import { authzStage } from '../decide/authz-stage.js';
import { AuthzGuard } from './authz.guard.js';
import { BootCheck } from './boot-check.js';
import { HandlerPolicies } from './handler-policies.js';
import { guardHybridApp } from './hybrid-guard.js';

/** Token of the call stage, which gRPC servers of `@apix/grpc` find by themselves. */
export const AUTHZ_STAGE = Symbol.for('apix.authz.Stage');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<AuthzOptions>().setClassMethodName('forRoot').build();

/**
 * Enforces the app's policies at every door. Global. Takes its descriptors from `ProtoModule`;
 * an app without RPCs can leave that out. The app does not start while a policy is wrong.
 */
@Global()
@Module({
  imports: [DiscoveryModule, ExceptionsModule],
  providers: [
    {
      provide: Authorizer,
      inject: [MODULE_OPTIONS_TOKEN, { token: ProtoRegistry, optional: true }],
      useFactory: (options: AuthzOptions, registry?: ProtoRegistry) =>
        new Authorizer(registry, options),
    },
    {
      provide: AUTHZ_STAGE,
      inject: [Authorizer],
      useFactory: authzStage,
    },
    HandlerPolicies,
    BootCheck,
    AuthzGuard,
    { provide: APP_GUARD, useExisting: AuthzGuard },
  ],
  // With what the guard needs, so that a controller of any module can name it in @UseGuards.
  exports: [Authorizer, AuthzGuard, HandlerPolicies],
})
export class AuthzModule extends ConfigurableModuleClass {
  constructor(@Inject(ModuleRef) moduleRef: ModuleRef) {
    super();
    guardHybridApp(moduleRef);
  }
}
