import { HttpException } from '@nestjs/common';
import type { HealthCheckService, HealthIndicatorResult } from '@nestjs/terminus';
import type { CheckRunner } from '../../health/health-registry.js';
import type { CheckResult } from '../../health/health-report.js';

/**
 * Runs the checks by terminus' own service, which logs failures as configured. A shutdown affects only
 * readiness.
 */
export function terminusRunner(service: () => HealthCheckService): CheckRunner {
  return async (checks, probe) => {
    const results: CheckResult[] = [];
    const indicators = checks.map((check, index) => async (): Promise<HealthIndicatorResult> => {
      const { name, outcome } = (results[index] = await check.run());
      return {
        [name]: outcome === null ? { status: 'up' } : { status: 'down', message: outcome },
      };
    });
    const status = await service()
      .check(indicators)
      .then((result) => result.status, statusOf);
    const isClosing = probe === 'ready' && status === 'shutting_down';
    return isClosing ? [...results, { name: 'shutdown', outcome: 'shutting down' }] : results;
  };
}

/** Terminus answers an unhealthy check by an exception; any other error is one. */
function statusOf(error: unknown): unknown {
  if (!(error instanceof HttpException)) throw error;
  return (error.getResponse() as { readonly status?: unknown }).status;
}
