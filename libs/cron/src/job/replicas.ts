import type { HostedJob } from './hosted-job.js';
import type { JobRuns } from './job-runs.js';
import type { Timing } from './timing.js';

/**
 * For a process that is one of several: has each tick of a job run by exactly one of them.
 * `bullmqReplicas` of `@apix/cron/bullmq` makes one, and `postgresReplicas` of `@apix/cron/postgres`.
 */
export interface Replicas {
  job(timing: Timing, runs: JobRuns): HostedJob;
}
