import type { Replicas } from '../job/replicas.js';
import { replicatedJob } from '../replicas/replicated-job.js';
import { type PostgresOptions, resolvePostgresOptions } from './postgres-options.js';
import { PostgresTicks } from './postgres-ticks.js';

const UNREACHABLE =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EPIPE|onnection terminated|terminating connection|starting up|shutting down|timeout exceeded|no answer within|after calling end/;

/**
 * Runs each tick in exactly one of all processes that share a PostgreSQL database:
 * `CronModule.forRoot({ replicas: postgresReplicas({ pool }) })`. A job runs once at a time in all of them. A
 * tick whose replica is lost or stops meanwhile is run again by another.
 *
 * @throws CronError for wrong options.
 */
export function postgresReplicas(options: PostgresOptions): Replicas {
  const resolved = resolvePostgresOptions(options);
  return {
    job(timing, runs) {
      return replicatedJob(timing, runs, {
        server: 'PostgreSQL',
        unreachable: UNREACHABLE,
        open: (job, handlers) => new PostgresTicks(job, handlers, runs.options.clock, resolved),
      });
    },
  };
}
