import { CronError } from '../errors.js';
import type { Replicas } from '../job/replicas.js';
import { type BullmqOptions, resolveBullmqOptions } from './bullmq-options.js';
import { BullmqTicks } from './bullmq-ticks.js';
import { ReplicatedJob } from './replicated-job.js';

/**
 * Has each tick run by exactly one of all processes that share a Redis:
 * `CronModule.forRoot({ replicas: bullmqReplicas({ connection }) })`. A job runs once at a time in
 * all of them. A tick whose replica is lost or stops meanwhile is run again by another.
 *
 * @throws CronError for wrong options.
 */
export function bullmqReplicas(options: BullmqOptions): Replicas {
  const resolved = resolveBullmqOptions(options);
  return {
    job(timing, runs) {
      const { name } = runs;
      if (name.includes(':')) {
        throw new CronError(`cron: job ${name}: with BullMQ a name must not contain ":"`);
      }
      return new ReplicatedJob(
        timing,
        runs,
        (job, handlers) => new BullmqTicks(job, handlers, resolved),
      );
    },
  };
}
