import { markClass } from '../brand.js';
import type { HealthAnswer } from './health-answer.js';

/** Offered by hostx, grpc, cron, sinks and the gateway; read by health endpoints. */
export const HEALTH_SOURCE = Symbol.for('apix.HealthSource');

export interface HealthCheck {
  readonly name: string;
  /** `live`: a failure asks for a restart of the instance; `ready`: it only asks to stop the traffic. */
  readonly affects: 'live' | 'ready';
  /** Rejects, with a message for the operator, or returns an answer that says so, if the thing is not well. */
  check(signal: AbortSignal): HealthAnswer | PromiseLike<HealthAnswer>;
}

export interface HealthSource {
  readonly [HEALTH_SOURCE]?: true;
  healthChecks(): readonly HealthCheck[];
}

/** Marks a provider whose checks the health endpoints run. The same as a property `[HEALTH_SOURCE] = true`. */
export function HealthSource(): ClassDecorator {
  return markClass(HEALTH_SOURCE);
}
