import { beforeEach, describe, expect, it } from '@jest/globals';
import { JOB_SOURCE, type JobSource } from '@apix/contracts';
import { Injectable, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { startHost } from '@apix/hostx/testing';
import { KeyGuard, follow, get, job, moduleWith } from './host-page.fixture.js';

let runs: string[];
beforeEach(() => {
  runs = [];
});

@Injectable()
class RunnableJobs implements JobSource {
  readonly [JOB_SOURCE] = true as const;
  jobs() {
    return [
      { ...job, name: 'by-hand' },
      { ...job, name: 'stuck' },
    ];
  }
  run(name: string) {
    runs.push(name);
    return name === 'stuck' ? Promise.reject(new Error('not started')) : Promise.resolve();
  }
}

@Module({ providers: [RunnableJobs] })
class RunnableModule {}

const KEY = { 'x-key': 'open' };

describe.each([
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
])('an action of the host page on %s', (_, platform) => {
  const start = async (options: object) =>
    (await startHost(moduleWith({ public: true, ...options }, RunnableModule), platform())).app!;

  it('is for those who pass its guards, from the page itself', async () => {
    const app = await start({ runJob: KeyGuard });
    const status = async (headers: Record<string, string>, query: string, method = 'POST') =>
      (await get(app, `/host/actions/runJob${query}`, headers, method)).statusCode;
    expect(await status({}, '?job=by-hand')).toBe(403);
    expect(await status({}, '/may', 'GET')).toBe(403);
    expect(await status({ ...KEY, 'sec-fetch-site': 'cross-site' }, '?job=by-hand')).toBe(403);
    expect(await status({ ...KEY, origin: 'https://other.example' }, '?job=by-hand')).toBe(403);
    expect(await status(KEY, '?job=nothing')).toBe(404);
    // Its source cannot run jobs.
    expect(await status(KEY, '?job=sweep')).toBe(404);
    expect(await status(KEY, '')).toBe(404);
    expect(runs).toEqual([]);
    expect(await status(KEY, '/may', 'GET')).toBe(204);
    expect(await status({ ...KEY, 'sec-fetch-site': 'same-origin' }, '?job=by-hand')).toBe(202);
    expect(runs).toEqual(['by-hand']);
  });

  it('is an event, and so is its failure', async () => {
    const app = await start({ runJob: KeyGuard });
    const { next, views } = await follow(app);
    await get(app, '/host/actions/runJob?job=stuck', KEY, 'POST');
    await next(({ events }) => events.some(({ text }) => text === 'not started'));
    const own = views.flatMap(({ events }) => events.filter(({ subject }) => subject === 'stuck'));
    expect(own).toMatchObject([
      { level: 'warning', text: 'run by hand' },
      { level: 'error', text: 'not started' },
    ]);
  });

  it('is for nobody without guards', async () => {
    const app = await start({});
    for (const [method, path] of [
      ['GET', '/may'],
      ['POST', '?job=by-hand'],
    ] as const) {
      const { statusCode } = await get(app, `/host/actions/runJob${path}`, KEY, method);
      expect(statusCode).toBe(404);
    }
    expect(runs).toEqual([]);
  });
});
