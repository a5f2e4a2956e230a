export { HealthModule } from '../nest/health/health.module.js';
export { HealthRegistry } from './health-registry.js';
export { checkerFunc, indicatorChecker } from './checker.js';
export type { HealthModuleOptions } from '../nest/health/health-binding.js';
export type { HealthRegistryOptions } from './health-registry.js';
export type { Checker, CheckerOptions } from './checker.js';
export type { HealthReport } from './check-run.js';

export type { CheckRunner, RunnableCheck } from './health-registry.js';
export type { CheckResult } from './check-run.js';
export type { HealthAnswer, IndicatorResult } from '@apix/contracts';
export type {
  HealthHandler,
  HealthHandlerOptions,
  HealthMountOptions,
  HealthPaths,
  ShowDetails,
} from './health-handler.js';
