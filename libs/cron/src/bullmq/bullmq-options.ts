import type { Duration } from '@apix/contracts';
import {
  checkedOptions,
  duration,
  option,
  type OptionTable,
  required,
  TEXT,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import type { ConnectionOptions } from 'bullmq';
import { cronErrorOf } from '../errors.js';

/** How replicas find each other, and when one of them counts as lost. */
export interface BullmqOptions {
  /** As for BullMQ: options of ioredis, such as `{ host, port }`, or a client. */
  readonly connection: ConnectionOptions;
  /** Of all keys in Redis. Apps that share a Redis need different ones. Default: 'apix-cron'. */
  readonly prefix?: string | undefined;
  /**
   * How long a replica may be silent until its run counts as lost and another replica runs the tick again;
   * that happens after at most half of this time more. A replica whose event loop is blocked for longer is
   * silent too. Default: '10s'.
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

const CONNECTION = option<ConnectionOptions>(
  'an object such as { host, port }',
  (value) => typeof value === 'object' && value !== null,
);

const BULLMQ_OPTIONS = {
  connection: required(CONNECTION, {}),
  prefix: withDefault(TEXT, 'apix-cron'),
  rerunAfter: withDefault(duration({ min: 100 }), 10_000),
  maxReruns: withDefault(wholeNumber({ min: 0 }), 1),
} satisfies OptionTable<BullmqOptions>;

/** @throws CronError that lists every mistake. */
export function resolveBullmqOptions(options: BullmqOptions): ResolvedBullmqOptions {
  const { connection, prefix, rerunAfter, maxReruns } = checkedOptions(
    BULLMQ_OPTIONS,
    options,
    cronErrorOf('cron: replicas'),
  );
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
    silenceMs: rerunAfter,
    maxReruns,
  };
}
