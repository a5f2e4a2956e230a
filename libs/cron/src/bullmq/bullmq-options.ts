import { type Duration, parseDuration, thrownText } from '@apix/contracts';
import type { ConnectionOptions } from 'bullmq';
import { CronError } from '../errors.js';

/** How replicas find each other, and when one of them counts as lost. */
export interface BullmqOptions {
  /** As for BullMQ: options of ioredis, such as `{ host, port }`, or a client. */
  readonly connection: ConnectionOptions;
  /** Of all keys in Redis. Apps that share a Redis need different ones. Default: 'apix-cron'. */
  readonly prefix?: string | undefined;
  /**
   * How long a replica may be silent until its run is taken for lost and another one runs the
   * tick again; that happens at most half as long afterwards. A replica whose event loop is
   * blocked for longer is silent too. Default: '10s'.
   */
  readonly rerunAfter?: Duration | undefined;
  /** How often a tick whose replica was lost is run again, until it is given up. Default: 1. */
  readonly maxReruns?: number | undefined;
}

/** Checked and filled options; times in milliseconds. */
export interface ResolvedBullmqOptions {
  /** Whether the connection is a client and not options for one. */
  readonly isClient: boolean;
  readonly prefix: string;
  readonly queueConnection: ConnectionOptions;
  readonly workerConnection: ConnectionOptions;
  readonly silenceMs: number;
  readonly maxReruns: number;
}

/** @throws CronError that names the option. */
export function resolveBullmqOptions(options: BullmqOptions): ResolvedBullmqOptions {
  const { connection, prefix = 'apix-cron', maxReruns = 1 } = options;
  if (typeof connection !== 'object' || connection === null) {
    throw new CronError('cron: replicas: connection: say where Redis is, such as { host, port }');
  }
  if (!Number.isInteger(maxReruns) || maxReruns < 0) {
    throw new CronError(`cron: replicas: maxReruns: ${maxReruns} is no count`);
  }
  const isClient = typeof (connection as { readonly duplicate?: unknown }).duplicate === 'function';
  // Back within five seconds after Redis is.
  const retryStrategy = (times: number): number => Math.min(times * 500, 5_000);
  return {
    isClient,
    prefix,
    // A tick that cannot be given out now is dropped, and not kept until Redis is back.
    queueConnection: isClient
      ? connection
      : { retryStrategy, ...connection, enableOfflineQueue: false, maxRetriesPerRequest: 0 },
    workerConnection: isClient ? connection : { retryStrategy, ...connection },
    silenceMs: silence(options.rerunAfter ?? '10s'),
    maxReruns,
  };
}

function silence(duration: Duration): number {
  try {
    const ms = parseDuration(duration);
    if (ms >= 100) return ms;
  } catch (error) {
    const message = thrownText(error).replace(/^apix: /, '');
    throw new CronError(`cron: replicas: rerunAfter: ${message}`, { cause: error });
  }
  throw new CronError('cron: replicas: rerunAfter: must be at least 100ms');
}
