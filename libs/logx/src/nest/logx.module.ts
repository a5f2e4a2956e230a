import { CLOSE_LAST_MODULE, optionsModule } from '@apix/contracts/internal-nest';
import { ExceptionsModule } from '@apix/calls/nest';
import { onConnectedApart, enterApp, noteRoutes, watchAppServer } from '@apix/calls/internal-nest';
import {
  type DynamicModule,
  Inject,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
} from '@nestjs/common';
import {
  APP_INTERCEPTOR,
  ApplicationConfig,
  DiscoveryModule,
  HttpAdapterHost,
  ModuleRef,
  ModulesContainer,
} from '@nestjs/core';
import { LogStage } from '../grpc/log-stage.js';
import { HttpDoor } from '../http/http-door.js';
import { RefusedRequests } from '../http/refused-requests.js';
import type { Logger } from '../logger/logger.js';
import { observeHttpFailures } from '../patches/exceptions-handler.js';
import { resolved } from '../request/door-options.js';
import { LeftOutRequests } from '../request/left-out-requests.js';
import { LoggerScope } from '../request/logger-scope.js';
import { readMessageOptions } from '../request/message-options.js';
import { RequestSampler } from '../request/request-sampler.js';
import { AppLog } from './app-log.js';
import { FollowedLog } from './followed-log.js';
import { LoggerLife } from './logger-life.js';
import { doorsOf, loggerOf } from './logger-source.js';
import { LogxInterceptor } from './logx.interceptor.js';
import { LogxLoggerService } from './logx-logger.service.js';
import type { LogxModuleOptions } from './logx-module-options.js';
import type { MessageLogParts } from './message-record.js';
import { followMessages } from './message-hook.js';
import { followNames, withNamedLoggers } from './named-loggers.js';
import { PanicObserver } from './panic-observer.js';
import { takeRefusedRouteLog } from './request-log.decorator.js';
import { LOGX_LOGGER, LOGX_OPTIONS } from './tokens.js';

/** The options that shape the module itself. */
export interface LogxModuleExtras {
  /** Whether every module of the app can inject loggers without importing this one. Default: true. */
  readonly isGlobal?: boolean | undefined;
}

const { ConfigurableModuleClass, OPTIONS_TYPE } = optionsModule<
  LogxModuleOptions,
  'createLogxOptions',
  LogxModuleExtras
>({
  name: 'logx: LogxModule',
  token: LOGX_OPTIONS,
  factoryMethod: 'createLogxOptions',
  define: (definition, { isGlobal = true }) =>
    withNamedLoggers({ ...definition, global: isGlobal }),
});

/**
 * Logs requests and calls, and gives all code that runs in the app its logger.
 *
 * `app.useLogger(app.get(LogxLoggerService))` logs the messages of Nest with it; `fromContext()` uses the
 * app's logger outside of requests too.
 */
@Module({
  imports: [CLOSE_LAST_MODULE, DiscoveryModule, ExceptionsModule],
  providers: [
    {
      provide: LOGX_LOGGER,
      inject: [LOGX_OPTIONS],
      useFactory: (options: LogxModuleOptions) => loggerOf(options),
    },
    { provide: APP_INTERCEPTOR, useClass: LogxInterceptor },
    RefusedRequests,
    LeftOutRequests,
    withLogger(LogxLoggerService, (logger, { wiring }) => new LogxLoggerService(logger, wiring)),
    withLogger(PanicObserver, (logger) => new PanicObserver(logger)),
    withLogger(AppLog, (logger) => new AppLog(logger)),
    withLogger(FollowedLog, (logger) => new FollowedLog(logger)),
    withLogger(LoggerScope, (logger) => new LoggerScope(logger)),
    withLogger(LoggerLife, (logger, options) => new LoggerLife(logger, options)),
    {
      provide: LogStage,
      inject: [LOGX_LOGGER, LOGX_OPTIONS, LeftOutRequests],
      useFactory: (logger: Logger, options: LogxModuleOptions, leftOut: LeftOutRequests) => {
        const { grpc } = doorsOf(options);
        return grpc === false ? null : new LogStage(logger, grpc, leftOut);
      },
    },
  ],
  exports: [LOGX_LOGGER, LogxLoggerService],
})
export class LogxModule
  extends ConfigurableModuleClass
  implements OnModuleInit, OnApplicationShutdown
{
  readonly #isWatching: boolean;
  readonly #undo: (() => void)[] = [];

  /** @param options Default: JSON on standard output, from level information up. */
  static override forRoot(options: typeof OPTIONS_TYPE = {}): DynamicModule {
    return super.forRoot(options);
  }

  constructor(
    @Inject(LOGX_LOGGER) private readonly logger: Logger,
    @Inject(LOGX_OPTIONS) options: LogxModuleOptions,
    @Inject(ApplicationConfig) config: ApplicationConfig,
    @Inject(HttpAdapterHost) private readonly adapterHost: HttpAdapterHost,
    @Inject(ModuleRef) moduleRef: ModuleRef,
    @Inject(ModulesContainer) private readonly modules: ModulesContainer,
    @Inject(RefusedRequests) refused: RefusedRequests,
    @Inject(LeftOutRequests) leftOut: LeftOutRequests,
  ) {
    super();
    followMessages(config, logger, messageParts(options, leftOut));
    const onConnected = (transport: string): void => warnOfApart(logger, transport);
    this.#undo.push(onConnectedApart(moduleRef, 'logx', { onConnected }));
    const { http } = doorsOf(options);
    this.#isWatching = http !== false;
    if (http === false) return;
    const door = new HttpDoor(logger, http, refused, leftOut, takeRefusedRouteLog);
    this.#undo.push(enterApp(adapterHost, door));
    noteRoutes({ config, modules, adapterHost });
    this.#undo.push(observeHttpFailures());
  }

  /** Nest has created its server by now, and the server has not received requests yet. */
  onModuleInit(): void {
    this.#undo.push(followNames(this.modules, this, this.logger));
    if (this.#isWatching) this.#undo.push(watchAppServer(this.adapterHost));
  }

  /** The server has answered its last request by now. */
  onApplicationShutdown(): void {
    for (const undo of this.#undo.splice(0)) undo();
  }
}

/** Undefined if messages have no events. */
function messageParts(
  { messages }: LogxModuleOptions,
  leftOut: LeftOutRequests,
): MessageLogParts | undefined {
  if (messages === false) return undefined;
  const settings = resolved((mistakes) => readMessageOptions(messages, 'messages', mistakes));
  return { settings, sampler: new RequestSampler('message', settings.sample, leftOut) };
}

function warnOfApart(logger: Logger, transport: string): void {
  logger.warning(
    'Microservice {Transport} is connected without inheritAppConfig: its messages have no logger of their own and no ' +
      'global guards, pipes, interceptors and filters; pass {InheritAppConfig} to connectMicroservice after the options',
    transport,
    '{ inheritAppConfig: true }',
  );
}

function withLogger<T>(
  provide: symbol | (new (...args: never[]) => T),
  make: (logger: Logger, options: LogxModuleOptions) => T | null,
): Provider {
  return { provide, inject: [LOGX_LOGGER, LOGX_OPTIONS], useFactory: make };
}
