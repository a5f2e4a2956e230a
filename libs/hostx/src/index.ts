export { runHost } from './nest/run-host.js';
export { HostxModule } from './nest/hostx.module.js';
export { ConfigurationModule } from './nest/configuration.module.js';
export { Configuration } from './config/configuration.js';
export { withParts } from './config/with-parts.js';
export { HostedService } from './nest/hosted-service.decorator.js';
export { OnReload, OnStarted, OnStopped, OnStopping, StartupTask } from './nest/hook.decorators.js';
export { HostRef } from './nest/host-ref.js';
export { serviceFunc } from './service.js';
export { HttpService, httpService } from './http/http-service.js';
export {
  Environment,
  defaultEnvironment,
  environmentFromEnv,
  namedEnvironment,
} from './environment.js';
export { consoleLogger, nestLogger, pinoLogger } from './log/adapters.js';
export type { RunHostOptions } from './nest/open-app.js';
export type { HostxModuleOptions, NestHttpOptions } from './nest/hostx-options.js';
export type { HostedServiceOptions } from './nest/hosted-service.decorator.js';
export type { StartupTaskOptions, TaskPhase } from './nest/hook.decorators.js';
export type { Hosted, Service, ServiceContext } from './service.js';
export type { StopInfo } from './host/host-plan.js';
export type { RestartPolicy } from './supervision/restart-policy.js';
export type {
  DrainOptions,
  HttpHandler,
  HttpServiceOptions,
  HttpTimeouts,
} from './http/http-options.js';
export type { ConfigurationModuleOptions } from './nest/configuration.module.js';
export type { ConfigurationOptions } from './config/load-configuration.js';
export type { ProcessCount, ProcessesOptions } from './processes/processes-options.js';
export type { ProcessStatus } from './processes/process-channel.js';
export type { StandardSchema } from './config/standard-schema.js';
export type { SettingsOf } from './config/with-parts.js';
export type { HostLogger } from './log/host-logger.js';
export type { Observer } from './observer.js';

export { HOST_EXTENSION, HostExtension } from './nest/host-extension.js';
export { HeldSignals, holdSignals } from './host/held-signals.js';
export { Host, HostBuilder } from './host/host-builder.js';
export { HostError } from './errors.js';
export { ConfigurationError } from './config/load-configuration.js';
export { loadConfiguration } from './config/load-configuration.js';
export type { HoldSignalsOptions } from './host/held-signals.js';
export type { DrainBegin } from './drain-delay.js';
export type { AddServiceOptions, AddStartupTaskOptions } from './host/registration.js';
export type { ServiceTier } from './service-tier.js';
export type { RunOptions, ShutdownOptions, UncaughtPolicy } from './host/host-handle.js';
export type { HostPhase, HostStatus } from './state/transitions.js';
export type { ServiceState, ServiceStatus } from './state/transitions.js';
