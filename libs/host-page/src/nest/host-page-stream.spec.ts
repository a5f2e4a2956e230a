import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { startHost } from '@apix/hostx/testing';
import { HealthModule } from '@apix/hostx/health';
import { HostxModule } from '@apix/hostx';
import { Outbox, follow, get, job, moduleWith } from './host-page.fixture.js';
import { HostPageModule } from './host-page.module.js';

describe.each<[string, () => object]>([
  ['Express', () => ({})],
  // Where Fastify takes no notice of a slash at the end, the page must find its files as well.
  [
    'Fastify',
    () => ({ adapter: new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true } }) }),
  ],
  ['an adapter of another type', () => ({ adapter: new NodeAdapter() })],
])('the stream of the host page on %s', (_, platform) => {
  it('tells everything at once, and then what is new', async () => {
    const { app, host } = await startHost(
      moduleWith({ public: true, interval: '100ms' }),
      platform(),
    );
    const { response, views, next } = await follow(app!);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const first = await next(({ full }) => full);
    expect(first).toMatchObject({
      process: { pid: process.pid, node: process.version },
      host: { phase: 'running', environment: 'Test' },
      tabs: ['overview', 'jobs'],
    });
    expect(first.sections).toEqual({ overview: expect.anything() });
    expect(first.sections.overview).toMatchObject({
      services: [
        { name: 'outbox', state: 'ready', restarts: 0 },
        { name: 'http', state: 'ready' },
      ],
      figures: expect.arrayContaining([
        expect.objectContaining({ name: 'hostx.host.up', value: 1, attributes: '', unit: '' }),
        {
          name: 'outbox.sent',
          attributes: 'to=shop, by=mail',
          value: 12,
          unit: 'By',
          description: 'Sent',
        },
      ]),
    });
    const said = first.events.map(({ subject, text }) => `${subject} ${text}`);
    expect(said).toContain('outbox starting');
    expect(said).toContain('host starting → running');
    expect(first.samples[0]!.rss).toBeGreaterThan(first.samples[0]!.heapUsed);

    app!.get(Outbox).crash(new Error('queue lost'));
    const told = await next(({ events }) => events.some(({ level }) => level === 'warning'));
    expect(told.full).toBe(false);
    expect(told.sections.overview!.services[0]).toMatchObject({
      state: 'backoff',
      restarts: 1,
      lastError: 'hostx: service outbox: queue lost',
    });
    expect(host.state.services[0]!.state).toBe('backoff');
    const ids = views.flatMap(({ events }) => events.map(({ id }) => id));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  it('has the data of the tab that is open, and of no other', async () => {
    const { app } = await startHost(moduleWith({ public: true }), platform());
    const sectionsOf = async (query: string) =>
      (await (await follow(app!, `/host/stream${query}`)).next(() => true)).sections;
    expect(await sectionsOf('?tab=jobs')).toEqual({
      jobs: { jobs: [{ ...job, next: 9_000, lastStart: 1_000 }], runnable: false },
    });
    for (const tab of ['traces', 'processes', 'nothing', '__proto__', '']) {
      expect(await sectionsOf(`?tab=${tab}`)).toEqual({});
    }
  });

  it('has its streams ended properly by the stop, which does not wait for them', async () => {
    const { app, stop } = await startHost(moduleWith({ public: true }), platform());
    const streams = await Promise.all([follow(app!), follow(app!)]);
    const begun = Date.now();
    expect(await stop()).toBeUndefined();
    expect(Date.now() - begun).toBeLessThan(1_000);
    await Promise.all(streams.map(({ ended }) => ended));
  });

  it('is only begun by who asks for its headers alone', async () => {
    const { app } = await startHost(moduleWith({ public: true, viewers: 1 }), platform());
    const { statusCode, headers } = await get(app!, '/host/stream', {}, 'HEAD');
    expect([statusCode, headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    expect((await follow(app!)).response.statusCode).toBe(200);
  });

  it('tells one viewer too many to come later, and serves again once one has gone', async () => {
    const { app } = await startHost(moduleWith({ public: true, viewers: 1 }), platform());
    const first = await follow(app!);
    await first.next(({ full }) => full);
    const second = await get(app!, '/host/stream');
    expect([second.statusCode, second.headers['retry-after']]).toEqual([503, '60']);
    first.response.destroy();
    let third = second;
    while (third.statusCode === 503) third = await get(app!, '/host/stream');
    expect(third.statusCode).toBe(200);
    third.destroy();
  });
});

describe('the health on the host page', () => {
  it.each<[string, object[], readonly string[]]>([
    [
      'is that of HealthModule, with what was given to it',
      [HealthModule.forRoot({ checks: [{ name: 'disk', affects: 'live', check: () => {} }] })],
      ['disk', 'service outbox', 'service http', 'backlog'],
    ],
    [
      'is that of the health sources, without HealthModule',
      [],
      ['host', 'service outbox', 'service http', 'backlog'],
    ],
  ])('%s', async (_, imports, names) => {
    const { app } = await startHost(moduleWith({ public: true }, ...imports));
    const { next } = await follow(app!);
    const { health } = await next(({ health }) => health !== null);
    expect(health!.isReady).toBe(true);
    expect(health!.checks.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
    expect(health!.checks.every(({ outcome }) => outcome === 'ok')).toBe(true);
  });

  it('follows what happens', async () => {
    const { app } = await startHost(
      moduleWith({ public: true, interval: '100ms', checkInterval: '100ms' }),
    );
    const { next } = await follow(app!);
    await next(({ health }) => health?.isReady === true);
    app!.get(Outbox).crash(new Error('queue lost'));
    const { health } = await next(({ health }) => health?.isReady === false);
    expect(health!.checks.find(({ name }) => name === 'service outbox')!.outcome).toContain(
      'queue lost',
    );
  });
});

describe('the host page of an app with a plain main', () => {
  let app: INestApplication;
  afterEach(() => app.close());

  it('is served alike, and its streams are ended by app.close()', async () => {
    @Module({
      imports: [
        HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
        HostPageModule.forRoot({ public: true }),
      ],
      providers: [Outbox],
    })
    class App {}
    app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    const { next, ended } = await follow(app);
    const { sections } = await next(({ full }) => full);
    expect(sections.overview!.services.map(({ name }) => name)).toEqual(['outbox', 'http']);
    await app.close();
    await ended;
  });
});
