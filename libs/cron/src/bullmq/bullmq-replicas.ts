import { createRequire } from 'node:module';
import { CronError, cronErrorOf } from '../errors.js';
import type { Replicas } from '../job/replicas.js';
import { RedisConnection } from '../npm-install/bullmq.js';
import { type BullmqOptions, resolveBullmqOptions } from './bullmq-options.js';
import { BullmqTicks } from './bullmq-ticks.js';
import { replicatedJob } from '../replicas/replicated-job.js';
import type { SharedTicks } from '../replicas/ticks.js';

const UNREACHABLE =
  /ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|EPIPE|isn't writeable|Connection is closed|no connection/;

/**
 * Runs each tick in exactly one of all processes that share a Redis:
 * `CronModule.forRoot({ replicas: bullmqReplicas({ connection }) })`. A job runs once at a time in all of
 * them. A tick whose replica is lost or stops meanwhile is run again by another.
 *
 * @throws CronError for wrong options, and without ioredis where they are meant for it.
 */
export function bullmqReplicas(options: BullmqOptions): Replicas {
  const resolved = resolveBullmqOptions(options);
  if (!resolved.isClient) requireIoredis();
  const shared: SharedTicks = {
    server: 'Redis',
    unreachable: UNREACHABLE,
    open: (job, handlers) => new BullmqTicks(job, handlers, resolved),
  };
  return {
    job(timing, runs) {
      const { name } = runs;
      if (name.includes(':')) {
        throw cronErrorOf(`cron: job ${name}`)(['name: must not contain ":" with BullMQ']);
      }
      return replicatedJob(timing, runs, shared);
    },
  };
}

/** BullMQ itself would find out when the first job starts, and continue without. */
function requireIoredis(): void {
  if (RedisConnection.clientFactory !== undefined) return;
  const bullmq = createRequire(import.meta.url).resolve('bullmq');
  try {
    createRequire(bullmq).resolve('ioredis');
  } catch (error) {
    throw new CronError(
      'cron: replicas: connection: ioredis is not installed; run npm install ioredis, or pass a Redis client',
      { cause: error },
    );
  }
}
