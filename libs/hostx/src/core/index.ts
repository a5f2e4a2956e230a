export { Host, HostBuilder } from '../host/host-builder.js';
export { holdSignals } from '../host/held-signals.js';
export { serviceFunc } from '../service.js';
export { HttpService, httpService } from '../http/http-service.js';
export { Configuration } from '../config/configuration.js';
export { withParts } from '../config/with-parts.js';
export {
  Environment,
  defaultEnvironment,
  environmentFromEnv,
  namedEnvironment,
} from '../environment.js';
export { HealthRegistry } from '../health/health-registry.js';
export { checkerFunc, indicatorChecker } from '../health/checker.js';
export { consoleLogger, nestLogger, pinoLogger } from '../log/adapters.js';
export type {
  DrainOptions,
  HttpHandler,
  HttpServiceOptions,
  HttpTimeouts,
} from '../http/http-options.js';
export type { HealthRegistryOptions } from '../health/health-registry.js';
export type { Checker, CheckerOptions } from '../health/checker.js';
export type { HealthReport } from '../health/check-run.js';
export type { Hosted, Service, ServiceContext } from '../service.js';
export type { StopInfo } from '../host/host-plan.js';
export type { AddServiceOptions, AddStartupTaskOptions } from '../host/registration.js';
export type { HoldSignalsOptions } from '../host/held-signals.js';
export type { RunOptions, ShutdownOptions, UncaughtPolicy } from '../host/host-handle.js';
export type { RestartPolicy } from '../supervision/restart-policy.js';
export type { Observer } from '../observer.js';
export type { ConfigurationOptions } from '../config/load-configuration.js';
export type { StandardSchema } from '../config/standard-schema.js';
export type { SettingsOf } from '../config/with-parts.js';
export type { HostLogger } from '../log/host-logger.js';

export { HeldSignals } from '../host/held-signals.js';
export type { DrainDefaults, GivenDrain } from '../drain-delay.js';
export type { DrainBegin } from '../drain-delay.js';
export { HostError } from '../errors.js';
export { ConfigurationError } from '../config/load-configuration.js';
export { loadConfiguration } from '../config/load-configuration.js';
export type { HostPhase, HostStatus } from '../state/transitions.js';
export type { ServiceState, ServiceStatus } from '../state/transitions.js';
