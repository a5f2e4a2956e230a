import { ExceptionsModule } from '@apix/calls/nest';
import {
  ConfigurableModuleBuilder,
  type DynamicModule,
  Global,
  Inject,
  Module,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import { ApplicationConfig, DiscoveryModule, HttpAdapterHost } from '@nestjs/core';
import { setDefaultLogger } from '../context/default-logger.js';
import { LogStage } from '../grpc/log-stage.js';
import { HttpDoor } from '../http/http-door.js';
import type { Logger } from '../logger/logger.js';
import { LoggerScope } from '../request/logger-scope.js';
import { ContextLogger } from './context-logger.js';
import { HandlerGuard } from './handler.guard.js';
import { watchAdapter, watchNestServer } from './http-entrances.js';
import { observeHttpFailures } from './http-failures.js';
import { injectedNames } from './inject-logger.decorator.js';
import { LoggerLife } from './logger-life.js';
import { loggerOf } from './logger-source.js';
import { LogxLoggerService } from './logx-logger.service.js';
import type { LogxModuleOptions } from './logx-module-options.js';
import { messageHook } from './message-hook.js';
import { PanicObserver } from './panic-observer.js';
import { LOGX_LOGGER, loggerToken } from './tokens.js';

/** Token of the call stage, which gRPC servers of `@apix/grpc` find by themselves. */
export const LOGX_STAGE = Symbol.for('apix.logx.Stage');

const { ConfigurableModuleClass, MODULE_OPTIONS_TOKEN } =
  new ConfigurableModuleBuilder<LogxModuleOptions>()
    .setClassMethodName('forRoot')
    .setExtras({}, withNamedLoggers)
    .build();

/**
 * Logs requests and calls, and gives everything that runs in the app its logger. Global.
 *
 * `app.useLogger(app.get(LogxLoggerService))` takes over what Nest logs; `fromContext()` uses
 * the app's logger outside of requests too.
 */
@Global()
@Module({
  imports: [DiscoveryModule, ExceptionsModule],
  providers: [
    {
      provide: LOGX_LOGGER,
      inject: [MODULE_OPTIONS_TOKEN],
      useFactory: (options: LogxModuleOptions) => loggerOf(options),
    },
    withLogger(LogxLoggerService, (logger) => new LogxLoggerService(logger)),
    withLogger(PanicObserver, (logger) => new PanicObserver(logger)),
    withLogger(LoggerScope, (logger) => new LoggerScope(logger)),
    withLogger(LoggerLife, (logger, options) => new LoggerLife(logger, options)),
    withLogger(LOGX_STAGE, (logger, { grpc = {} }) =>
      grpc === false ? null : new LogStage(logger, grpc),
    ),
  ],
  exports: [LOGX_LOGGER, LogxLoggerService, LOGX_STAGE],
})
export class LogxModule extends ConfigurableModuleClass implements OnModuleInit {
  readonly #door: HttpDoor | undefined;

  constructor(
    @Inject(LOGX_LOGGER) logger: Logger,
    @Inject(MODULE_OPTIONS_TOKEN) { http = {} }: LogxModuleOptions,
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
  ) {
    super();
    setDefaultLogger(logger);
    config.registerPreRequestHook(messageHook(logger));
    if (http === false) return;
    const door = (this.#door = new HttpDoor(logger, http));
    adapterHost.init$.subscribe(() => watchAdapter(adapterHost, door));
    // Nest puts guards given here before those of APP_GUARD, which it adds after all constructors.
    config.useGlobalGuards(new HandlerGuard());
    observeHttpFailures();
  }

  /** Nest has made its server by now, and nobody calls it yet. */
  onModuleInit(): void {
    if (this.#door !== undefined) watchNestServer(this.adapterHost, this.#door);
  }
}

function withLogger<T>(
  provide: symbol | (new (...args: never[]) => T),
  make: (logger: Logger, options: LogxModuleOptions) => T | null,
): Provider {
  return { provide, inject: [LOGX_LOGGER, MODULE_OPTIONS_TOKEN], useFactory: make };
}

/**
 * Adds a provider for each name of `@InjectLogger`. Nest reads them when it scans the module:
 * by then all classes are declared, which they may not be when `forRoot` is called.
 */
function withNamedLoggers(definition: DynamicModule): DynamicModule {
  const { providers = [], exports = [] } = definition;
  const named = (): Provider[] =>
    injectedNames().map((name) => ({
      provide: loggerToken(name),
      inject: [LOGX_LOGGER],
      useFactory: (logger: Logger) => new ContextLogger(logger, name),
    }));
  return {
    ...definition,
    get providers() {
      return [...providers, ...named()];
    },
    get exports() {
      return [...exports, ...injectedNames().map((name) => loggerToken(name))];
    },
  };
}
