import type { Service } from '@apix/hostx/core';
import type { JobControl } from './job-control.js';
import type { JobRuns } from './job-runs.js';
import type { Timing } from './timing.js';

/** A job that the host runs and that can be handled from outside. */
export type HostedJob = Service & JobControl;

/**
 * For a process that is one of several: has each tick of a job run by exactly one of them.
 * `bullmqReplicas` of `@apix/cron/bullmq` makes one.
 */
export interface Replicas {
  job(timing: Timing, runs: JobRuns): HostedJob;
}
