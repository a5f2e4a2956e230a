import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  JOB_SOURCE,
  type JobSource,
  LOG_SOURCE,
  type LogSource,
  type TimedLogLevel,
} from '@apix/contracts';
import { Injectable, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { HostRef } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { KeyGuard, follow, get, job, moduleWith } from './host-page.fixture.js';

let runs: string[];
let warnings: string[];
let changes: unknown[];
beforeEach(() => {
  runs = [];
  warnings = [];
  changes = [];
});

/** Nest's logger, of which warnings are kept. */
const logger = {
  log: () => {},
  error: () => {},
  warn: (message: unknown) => void warnings.push(String(message)),
};

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

@Injectable()
class Levels implements LogSource {
  readonly [LOG_SOURCE] = true as const;
  follow() {
    return () => {};
  }
  changeLevel(...change: unknown[]) {
    // The warning about it must come first: it may turn warnings off.
    changes.push([...change, warnings.length]);
  }
  changedLevels(): readonly TimedLogLevel[] {
    return [
      { logger: 'orders', level: 'debug', until: 9_000 },
      { logger: null, level: 'warn', until: Infinity },
    ];
  }
}

@Module({ providers: [RunnableJobs, Levels] })
class RunnableModule {}

const KEY = { 'x-key': 'open' };

describe.each([
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
])('an action of the host page on %s', (_, platform) => {
  const start = async (options: object) =>
    (
      await startHost(moduleWith({ public: true, ...options }, RunnableModule), {
        ...platform(),
        nest: { logger },
      })
    ).app!;

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

  it.each([
    ['runJob', 'job=by-hand'],
    ['restartService', 'service=outbox'],
    ['changeLevel', 'level=debug'],
  ])('%s is for nobody without guards, and for those who pass them with', async (name, query) => {
    const closed = await start({});
    const open = await start({ [name]: KeyGuard });
    const status = async (app: typeof open, path: string, headers: object, method = 'POST') =>
      (await get(app, `/host/actions/${name}${path}`, { ...headers }, method)).statusCode;
    expect(await status(closed, '/may', KEY, 'GET')).toBe(404);
    expect(await status(closed, `?${query}`, KEY)).toBe(404);
    expect(await status(open, '/may', {}, 'GET')).toBe(403);
    expect(await status(open, `?${query}`, {})).toBe(403);
    expect(await status(open, `?${query}`, { ...KEY, 'sec-fetch-site': 'cross-site' })).toBe(403);
    expect([runs, changes, warnings]).toEqual([[], [], []]);
    expect(open.get(HostRef).state.services[0]).toMatchObject({ askedRestarts: 0 });
    expect(await status(open, '/may', KEY, 'GET')).toBe(204);
    expect(await status(open, `?${query}`, KEY)).toBe(202);
    expect(warnings).toEqual([expect.stringMatching(/: .*, from the host page, by .*127.0.0.1$/)]);
  });

  it('restarts a service, which is an event and not a failure', async () => {
    const app = await start({ restartService: KeyGuard });
    const { next, views } = await follow(app);
    const ask = async (query: string) =>
      (await get(app, `/host/actions/restartService${query}`, KEY, 'POST')).statusCode;
    const first = await next(({ full }) => full);
    expect(first.sections.overview).toMatchObject({
      restartable: true,
      services: [
        { name: 'outbox', canRestart: true, askedRestarts: 0 },
        { name: 'http', canRestart: false },
      ],
    });
    expect(await ask('')).toBe(404);
    expect(await ask('?service=nothing')).toBe(404);
    expect(await ask('?service=outbox')).toBe(202);
    await next(({ sections }) => {
      const [outbox] = sections.overview?.services ?? [];
      return outbox?.askedRestarts === 1 && outbox.state === 'ready' && outbox.restarts === 0;
    });
    const own = views.flatMap(({ events }) => events.filter(({ subject }) => subject === 'outbox'));
    expect(own.slice(-6)).toMatchObject([
      { level: 'warning', text: 'restart by hand' },
      { level: 'information', text: 'was asked to restart', mark: 'restart' },
      { text: 'stopping' },
      { text: expect.stringMatching(/^stopped after/) },
      { text: 'starting' },
      { text: expect.stringMatching(/^ready after/) },
    ]);
    expect(warnings).toEqual([
      expect.stringMatching(/^outbox: restart by hand, from the host page, by .*127.0.0.1$/),
    ]);
    expect(await ask('?service=http')).toBe(202);
    await next(({ events }) => events.some(({ text }) => text.includes('http is a transport')));
  });

  it('changes levels for a while, and shows which', async () => {
    const app = await start({ changeLevel: KeyGuard });
    const ask = async (query: string) =>
      (await get(app, `/host/actions/changeLevel${query}`, KEY, 'POST')).statusCode;
    for (const wrong of [
      '?level=loud',
      '?level=debug&minutes=0',
      '?level=debug&minutes=1.5',
      '?level=debug&minutes=1441',
      '?level=debug&minutes=soon',
      `?level=debug&logger=${'x'.repeat(201)}`,
    ]) {
      expect([wrong, await ask(wrong)]).toEqual([wrong, 404]);
    }
    expect(changes).toEqual([]);
    expect(await ask('?level=debug&logger=orders')).toBe(202);
    expect(await ask('?level=warn&minutes=60')).toBe(202);
    expect(await ask('?logger=orders')).toBe(202);
    expect(changes).toEqual([
      ['orders', 'debug', 900_000, 1],
      [null, 'warn', 3_600_000, 2],
      ['orders', null, 900_000, 3],
    ]);
    expect(warnings.map((warning) => warning.split(', from')[0])).toEqual([
      'orders: minimum level debug for 15m',
      'all loggers: minimum level warn for 1h',
      'orders: minimum level as before',
    ]);
    const { next } = await follow(app, '/host/stream?tab=logs');
    const { sections } = await next(({ full }) => full);
    expect(sections.logs).toMatchObject({
      changeable: true,
      levels: [
        { logger: 'orders', level: 'debug', until: 9_000 },
        { logger: null, level: 'warn', until: null },
      ],
    });
  });
});
