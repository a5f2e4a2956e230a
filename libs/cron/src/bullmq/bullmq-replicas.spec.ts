import { describe, expect, it } from '@jest/globals';
import { runsOf, timingOf } from '../job/make-job.js';
import { type BullmqOptions, resolveBullmqOptions } from './bullmq-options.js';
import { bullmqReplicas } from './bullmq-replicas.js';

// `npm run conformance:bullmq` has three processes share jobs over a real Redis.

const connection = { host: 'redis', port: 6379 };

describe('bullmqReplicas', () => {
  it('has defaults, keeps no tick for later, and reconnects within seconds', () => {
    const resolved = resolveBullmqOptions({ connection });
    expect(resolved).toMatchObject({
      prefix: 'apix-cron',
      silenceMs: 10_000,
      maxReruns: 1,
      queueConnection: { host: 'redis', enableOfflineQueue: false, maxRetriesPerRequest: 0 },
      workerConnection: { host: 'redis' },
    });
    const { retryStrategy } = resolved.workerConnection as {
      readonly retryStrategy: (times: number) => number;
    };
    expect([1, 4, 100].map(retryStrategy)).toEqual([500, 2_000, 5_000]);
  });

  it('takes a client as it is', () => {
    const client = { duplicate: () => client, connect: () => {} };
    expect(resolveBullmqOptions({ connection: client })).toMatchObject({
      queueConnection: client,
      workerConnection: client,
    });
  });

  it.each([
    [{ connection: null }, 'cron: replicas: connection: say where Redis is'],
    [{ connection, maxReruns: -1 }, 'cron: replicas: maxReruns: -1 is no count'],
    [{ connection, maxReruns: 1.5 }, 'cron: replicas: maxReruns: 1.5 is no count'],
    [{ connection, rerunAfter: '10ms' }, 'cron: replicas: rerunAfter: must be at least 100ms'],
    [{ connection, rerunAfter: 'soon' }, 'cron: replicas: rerunAfter: '],
  ])('refuses %j', (options, message) => {
    expect(() => bullmqReplicas(options as unknown as BullmqOptions)).toThrow(message);
  });

  it('refuses a name that BullMQ does not take', () => {
    const client = { duplicate: () => client, connect: () => {} };
    const replicas = bullmqReplicas({ connection: client });
    const timing = timingOf('a:b', { interval: '1m' });
    expect(() =>
      replicas.job(
        timing,
        runsOf('a:b', () => {}, {}),
      ),
    ).toThrow('cron: job a:b: with BullMQ a name must not contain ":"');
  });
});
