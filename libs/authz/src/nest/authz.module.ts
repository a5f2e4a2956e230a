import { ExceptionsModule } from '@apix/calls/nest';
import { onConnectedApart } from '@apix/calls/internal-nest';
import {
  ModuleRef,
  APP_GUARD,
  ApplicationConfig,
  DiscoveryModule,
  ModulesContainer,
} from '@nestjs/core';
import { optionsModule } from '@apix/contracts/internal-nest';
import { ProtoRegistry } from '@apix/proto';
import { Inject, Module, type OnModuleDestroy } from '@nestjs/common';
import { PolicyError } from '../errors.js';
import { Authorizer } from '../decide/authorizer.js';
import type { AuthorizerOptions } from '../decide/authorizer-options.js';
import { authzStage } from '../decide/authz-stage.js';
import { AuthzReport } from '../report/authz-report.js';
import { AuthzGuard } from './authz.guard.js';
import { FieldMask } from './field-mask.js';
import { BootCheck } from './boot-check.js';
import { ConditionGate } from './conditional-handler.js';
import { logFailures } from './failed-conditions.js';
import { ResourceLoaders } from './resource-loaders.js';
import { HandlerSearch } from './handler-search.js';
import { HandlerPolicies } from './handler-policies.js';
import { wordedRoutes } from './handler-routes.js';
import { keepUpgradeRequests } from './patches/client-connect.js';
import { guardGateways } from './patches/gateway-guard.js';

/** Token of the options of AuthzModule. */
export const AUTHZ_OPTIONS = Symbol.for('apix.authz.Options');

/** Token of the call stage, which gRPC servers of `@apix/grpc` find by its mark. */
const AUTHZ_STAGE = Symbol.for('apix.authz.Stage');

/**
 * Makes `connectMicroservice` of this app throw if the microservice does not inherit the app's
 * configuration: Nest would run no global guard on it, silently, and let every call in.
 *
 * @returns for the module's destroy hook: releases the listener if there is no application.
 */
export function guardHybridApp(moduleRef: ModuleRef): () => void {
  return onConnectedApart(moduleRef, 'authz', {
    refuse: () => {
      throw new PolicyError([
        'connectMicroservice: pass { inheritAppConfig: true } as its second argument; without ' +
          'it Nest runs no global guard on the microservice, and every call would be let in',
      ]);
    },
  });
}

/** The options of AuthzModule: those of its {@link Authorizer}. */
export type AuthzModuleOptions = AuthorizerOptions;

const { ConfigurableModuleClass } = optionsModule<AuthzModuleOptions, 'createAuthzOptions'>({
  name: 'authz: AuthzModule',
  token: AUTHZ_OPTIONS,
  factoryMethod: 'createAuthzOptions',
});

/**
 * Enforces the app's policies at every entry point. Takes its descriptors from `ProtoModule`; an app
 * without RPCs can leave that out. The app does not start while a policy is wrong.
 *
 * `isGlobal: false` next to the options provides {@link Authorizer} only to modules that import this one;
 * the policies are enforced in the whole app all the same. Default: true.
 */
@Module({
  imports: [DiscoveryModule, ExceptionsModule],
  providers: [
    {
      provide: Authorizer,
      inject: [AUTHZ_OPTIONS, ResourceLoaders, { token: ProtoRegistry, optional: true }],
      useFactory: (
        options: AuthzModuleOptions,
        loaders: ResourceLoaders,
        registry?: ProtoRegistry,
      ) =>
        new Authorizer(registry, {
          ...options,
          loaders: loaders.with(options.loaders),
          recordTypes: loaders.recordTypes(options.recordTypes),
          ...logFailures(options),
        }),
    },
    {
      provide: ResourceLoaders,
      inject: [ModulesContainer],
      useFactory: (modules: ModulesContainer) => new ResourceLoaders(modules),
    },
    {
      provide: AuthzReport,
      inject: [Authorizer, HandlerPolicies, ApplicationConfig, ModulesContainer],
      useFactory: (
        authorizer: Authorizer,
        policies: HandlerPolicies,
        config: ApplicationConfig,
        modules: ModulesContainer,
      ) => new AuthzReport(authorizer, () => wordedRoutes(policies, config, modules)),
    },
    { provide: AUTHZ_STAGE, inject: [Authorizer], useFactory: authzStage },
    HandlerPolicies,
    HandlerSearch,
    BootCheck,
    AuthzGuard,
    { provide: APP_GUARD, useExisting: AuthzGuard },
  ],
  // With what the guard needs, so that a controller of any module can name it in @UseGuards.
  exports: [Authorizer, AuthzGuard, HandlerPolicies],
})
export class AuthzModule extends ConfigurableModuleClass implements OnModuleDestroy {
  private readonly release: () => void;

  constructor(
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(ModulesContainer) modules: ModulesContainer,
    @Inject(AuthzGuard) guard: AuthzGuard,
    @Inject(Authorizer) authorizer: Authorizer,
    @Inject(HandlerSearch) search: HandlerSearch,
    @Inject(HandlerPolicies) policies: HandlerPolicies,
  ) {
    super();
    keepUpgradeRequests(config);
    // An app whose messages hide nothing, and whose handlers have no conditions, gets no interceptor.
    const interceptors = [
      ...(authorizer.fields.all.length > 0 ? [new FieldMask(authorizer)] : []),
      ...(search.hasConditions() ? [new ConditionGate(authorizer, policies)] : []),
    ];
    for (const each of interceptors) config.addGlobalInterceptor(each);
    guardGateways(config, modules, { guards: [guard], interceptors });
    this.release = guardHybridApp(moduleRef);
  }

  onModuleDestroy(): void {
    this.release();
  }
}
