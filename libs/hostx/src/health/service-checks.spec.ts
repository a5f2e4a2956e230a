import { describe, expect, it } from '@jest/globals';
import type { HostStatus, ServiceStatus } from '../state/transitions.js';
import { serviceChecks } from './service-checks.js';

const lost = new Error('hostx: service outbox: queue lost');

function statusOf(service: Partial<ServiceStatus>): HostStatus {
  const counts = { attempt: 0, restarts: 0, askedRestarts: 0 };
  const outbox = { name: 'outbox', state: 'ready', since: 0, tier: 'service', ...counts } as const;
  return { phase: 'running', since: 0, services: [{ ...outbox, ...service }] };
}

describe('the checks of services', () => {
  it.each<[Partial<ServiceStatus>, string[]]>([
    [{ state: 'waiting' }, []],
    [{ state: 'ready', lastError: lost }, ['service outbox: ok']],
    [{ state: 'starting' }, ['service outbox: starting']],
    [
      { state: 'starting', attempt: 1, lastError: lost },
      [`service outbox: restarting: ${lost.message}`],
    ],
    [{ state: 'backoff', lastError: lost }, [`service outbox: restarting: ${lost.message}`]],
    [{ state: 'failed', lastError: lost }, [`service outbox: failed: ${lost.message}`]],
    [{ state: 'stopping' }, ['service outbox: stopping']],
    [{ state: 'stopped' }, ['service outbox: stopped']],
    [{ state: 'abandoned' }, ['service outbox: abandoned']],
  ])('of one that is %j are %j, for readiness only', async (service, expected) => {
    const checks = serviceChecks(() => statusOf(service));
    const { signal } = new AbortController();
    const texts = await Promise.all(
      checks.map(async (check) => {
        const outcome = await Promise.resolve()
          .then(() => check.check(signal))
          .then(
            () => 'ok',
            (error: Error) => error.message,
          );
        return `${check.name}: ${outcome}`;
      }),
    );
    expect(texts).toEqual(expected);
    expect(checks.filter(({ affects }) => affects !== 'ready')).toEqual([]);
  });

  it('report the state of the moment in which they run', () => {
    let status = statusOf({ state: 'starting' });
    const [check] = serviceChecks(() => status);
    status = statusOf({ state: 'ready' });
    expect(() => void check!.check(AbortSignal.timeout(1_000))).not.toThrow();
  });

  it('read the state of the host once for all that run at the same time', async () => {
    let reads = 0;
    let state: ServiceStatus['state'] = 'ready';
    const services = Array.from({ length: 100 }, (_, index) => `s${index}`);
    const checks = serviceChecks(() => {
      reads += 1;
      const {
        services: [one],
      } = statusOf({ state });
      return { ...statusOf({}), services: services.map((name) => ({ ...one!, name })) };
    });
    const { signal } = new AbortController();
    const run = (): Promise<PromiseSettledResult<unknown>[]> =>
      Promise.allSettled(checks.map(async (check) => check.check(signal)));
    const good = await run();
    expect(good.map(({ status }) => status)).toEqual(services.map(() => 'fulfilled'));
    state = 'failed';
    const bad = await run();
    expect(bad.map(({ status }) => status)).toEqual(services.map(() => 'rejected'));
    expect(reads).toBe(3);
  });
});
