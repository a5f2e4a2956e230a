import { describe, expect, it } from '@jest/globals';
import { jobParts } from '../job/make-job.js';
import { type BullmqOptions, resolveBullmqOptions } from './bullmq-options.js';
import { bullmqReplicas } from './bullmq-replicas.js';

// `npm run conformance:bullmq` has three processes share jobs over a real Redis.

const connection = { host: 'redis', port: 6379 };

const NOT_A_DURATION =
  'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

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

  it.each<[Partial<Record<keyof BullmqOptions, unknown>>, string]>([
    [{ connection: null }, 'connection: must be an object such as { host, port }, not null'],
    [{ prefix: '' }, 'prefix: must be a non-empty string, not ""'],
    [{ maxReruns: -1 }, 'maxReruns: must be an integer of at least 0, not -1'],
    [{ maxReruns: 1.5 }, 'maxReruns: must be an integer of at least 0, not 1.5'],
    [{ rerunAfter: '10ms' }, 'rerunAfter: must be at least 100ms, not "10ms"'],
    [{ rerunAfter: 'soon' }, `rerunAfter: "soon" ${NOT_A_DURATION}`],
  ])('refuses %j', (wrong, mistake) => {
    const options = { connection, ...wrong } as BullmqOptions;
    expect(() => bullmqReplicas(options)).toThrow(
      expect.objectContaining({ message: `cron: replicas: ${mistake}`, mistakes: [mistake] }),
    );
  });

  it('reports all wrong options together', () => {
    const wrong = { connection: null, prefix: '', maxReruns: -1, rerunAfter: 0 };
    expect(() => bullmqReplicas(wrong as unknown as BullmqOptions)).toThrow(
      /^cron: replicas: 4 mistakes:/,
    );
  });

  it('refuses a name that BullMQ does not take', () => {
    const client = { duplicate: () => client, connect: () => {} };
    const replicas = bullmqReplicas({ connection: client });
    const { timing, runs } = jobParts('a:b', { interval: '1m' }, () => {}, {});
    expect(() => replicas.job(timing, runs)).toThrow(
      'cron: job a:b: name: must not contain ":" with BullMQ',
    );
  });
});
