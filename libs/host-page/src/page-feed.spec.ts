import { once } from 'node:events';
import { type IncomingMessage, type Server, createServer, get } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  HEALTH_SOURCE,
  METRIC_SOURCE,
  type MetricReading,
  type MetricSource,
} from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { HealthRegistry } from '@apix/hostx/core';
import type { ServiceStatus } from '@apix/hostx';
import { type HostPageOptions, resolveHostPage } from './host-page-options.js';
import { PageFeed } from './page-feed.js';
import { overviewSection } from './sections/overview-section.js';
import { ProcessWatch } from './sections/process-watch.js';
import { processesSection } from './sections/processes-section.js';
import type { FrameSources } from './frame.js';
import type { PageView } from './page-view.js';
import type { ProcessRow } from './section-views.js';

let clock: FakeClock;
let checks: number;
let services: readonly ServiceStatus[];
let feed: PageFeed;
let registry: HealthRegistry;
let metrics: readonly MetricSource[];
let processes: readonly ProcessRow[];
let server: Server;

function frame(): FrameSources {
  registry = new HealthRegistry();
  registry.setReady(true);
  registry.add({ name: 'counted', affects: 'ready', check: () => void (checks += 1) });
  return {
    state: () => ({ phase: 'running', since: 0, services }),
    environment: () => 'Test',
    health: () => registry,
  };
}

async function serve(options: HostPageOptions = {}): Promise<void> {
  feed = new PageFeed(resolveHostPage({ ...options, clock }), frame());
  feed.start([
    overviewSection(
      {
        state: () => ({ phase: 'running', since: 0, services }),
        restartable: false,
        metrics,
        routes: null,
      },
      feed.noteFailure,
    ),
    processesSection(new ProcessWatch(() => Promise.resolve(processes), feed.noteCrash), true),
  ]);
  server = createServer((request, response) => feed.view(response, request.url!.slice(1)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
}

beforeEach(() => {
  clock = fakeClock();
  checks = 0;
  services = [];
  metrics = [];
  processes = [];
});
afterEach(() => {
  feed.stop();
  server.closeAllConnections();
  server.close();
});

/** Follows the stream; `views(n)` resolves with all of them once there are n. */
async function follow(tab = 'overview'): Promise<{
  readonly response: IncomingMessage;
  readonly views: (count: number) => Promise<readonly PageView[]>;
}> {
  const { port } = server.address() as AddressInfo;
  const [response] = (await once(
    get({ port, host: '127.0.0.1', path: `/${tab}`, agent: false }),
    'response',
  )) as [IncomingMessage];
  const views: PageView[] = [];
  let text = '';
  response.on('data', (data: Buffer) => {
    const parts = (text + data.toString()).split('\n\n');
    text = parts.pop()!;
    for (const part of parts.filter((it) => it.startsWith('data: '))) {
      views.push(JSON.parse(part.slice('data: '.length)) as PageView);
    }
  });
  return {
    response,
    async views(count) {
      while (views.length < count) await turn();
      return views;
    },
  };
}

describe('the feed of the page', () => {
  it.each<[string, unknown]>([
    ['a bigint', 1n],
    ['what refuses to be JSON', { toJSON: () => JSON.parse('{') as unknown }],
  ])('leaves out a source whose description is %s, and names it once', async (_, description) => {
    class Wild {
      metrics(): MetricReading[] {
        return [{ name: 'wild', kind: 'gauge', value: 1, description } as MetricReading];
      }
    }
    metrics = [
      new Wild(),
      { metrics: () => [{ name: 'tame', kind: 'gauge', value: 1, description: '' }] },
    ];
    await serve({ interval: '2s' });
    const { views } = await follow();
    await clock.advance(2_000);
    const seen = (await views(2)).map(({ sections }) =>
      sections.overview!.figures.map(({ name }) => name),
    );
    expect(seen.slice(0, 2)).toEqual([['tame'], ['tame']]);
    await clock.advance(2_000);
    const events = new Map(
      (await views(3)).flatMap((view) => view.events.map((event) => [event.id, event])),
    );
    expect([...events.values()]).toEqual([
      expect.objectContaining({
        level: 'error',
        subject: 'Wild',
        text: expect.stringMatching(/^its metrics cannot be read: ./),
      }),
    ]);
  });

  it('sends a view at each interval, with the samples that are new', async () => {
    await serve({ interval: '2s', history: '6s' });
    await clock.advance(10_000);
    const { views } = await follow();
    await clock.advance(4_000);
    const [first, ...others] = (await views(3)).filter(({ samples }) => samples.length > 0);
    expect(first).toMatchObject({ full: true, keeps: { samples: 3, intervalMs: 2_000 } });
    expect(first!.samples.map(({ id }) => id)).toEqual([4, 5, 6]);
    expect(others.map(({ full, samples }) => [full, samples.map(({ id }) => id)])).toEqual([
      [false, [7]],
      [false, [8]],
    ]);
  });

  it('tells a second viewer everything, and the first nothing twice that it missed', async () => {
    await serve();
    const one = await follow();
    await one.views(1);
    feed.observer.serviceStopping!({ service: 'a' });
    const two = await follow();
    expect((await two.views(1))[0]!.events.map(({ subject }) => subject)).toEqual(['a']);
    await clock.advance(50);
    const told = (await one.views(2)).flatMap(({ events }) => events);
    expect(told.map(({ subject }) => subject)).toEqual(['a']);
  });

  it('tells many events in one message', async () => {
    await serve();
    const { views } = await follow();
    await views(1);
    await clock.advance(60);
    for (let n = 0; n < 20; n++) feed.observer.serviceStopping!({ service: `${n}` });
    await clock.advance(49);
    feed.observer.serviceStopping!({ service: 'last' });
    await clock.advance(1);
    const all = await views(3);
    expect(all.map(({ events }) => events.length).filter((length) => length > 0)).toEqual([21]);
  });

  it('keeps no more events than configured', async () => {
    await serve({ events: 5 });
    for (let n = 0; n < 8; n++) feed.observer.serviceStopping!({ service: `${n}` });
    const { views } = await follow();
    const [{ events }] = (await views(1)) as [PageView];
    expect(events.map(({ subject }) => subject)).toEqual(['3', '4', '5', '6', '7']);
  });

  it('runs health checks only while somebody looks, and not too often', async () => {
    await serve({ checkInterval: '5s' });
    await clock.advance(20_000);
    expect(checks).toBe(0);
    const { response, views } = await follow();
    await clock.advance(4_000);
    await views(4);
    expect(checks).toBe(1);
    await clock.advance(6_000);
    await views(10);
    expect(checks).toBe(3);
    response.destroy();
    while (clock.pending > 1) await clock.advance(1_000);
    const before = checks;
    await clock.advance(60_000);
    expect(checks).toBe(before);
  });

  it('asks for all processes while somebody looks, and shows none when the parent is gone', async () => {
    processes = [
      { index: 1, pid: 7, state: 'ready', since: 0, restarts: 0, lastEnd: null, rss: 1 },
    ];
    await serve({ interval: '2s' });
    const { views } = await follow('processes');
    const isShown = (view: PageView) => view.tabs.includes('processes');
    while (!(await views(1)).some(isShown)) await clock.advance(50);
    const shown = (await views(1)).find(isShown);
    expect(shown!.sections).toEqual({ processes: { processes, restartable: true } });
    processes = [];
    while (isShown((await views(1)).at(-1)!)) await clock.advance(2_000);
    expect((await views(1)).at(-1)!.sections).toEqual({});
  });

  it('has an event for a process that was restarted because it had ended', async () => {
    const lastEnd = 'was ended by SIGKILL';
    processes = [{ index: 2, pid: 7, state: 'ready', since: 5, restarts: 1, lastEnd, rss: 1 }];
    await serve();
    const { views } = await follow();
    const events = async () => (await views(1)).flatMap((view) => view.events);
    while ((await events()).length === 0) await clock.advance(50);
    expect(await events()).toEqual([
      { id: 1, at: 5, level: 'error', subject: 'process 2', text: `${lastEnd}; restart 1` },
    ]);
  });

  it('goes on with the checks after the wall clock was set back', async () => {
    await serve({ checkInterval: '5s' });
    const { views } = await follow();
    await views(1);
    clock.jump(-3_600_000);
    await clock.advance(1_000);
    await views(2);
    expect(checks).toBe(2);
  });

  it('shows what is wrong with a source of checks', async () => {
    await serve();
    const wrong = { name: 'x', affects: 'ready', check: () => {}, timeout: 'soon' } as const;
    const down = { name: 'db', affects: 'ready', check: () => false } as const;
    registry.addSource({ [HEALTH_SOURCE]: true, healthChecks: () => [wrong, down] });
    const { views } = await follow();
    await views(1);
    await clock.advance(50);
    const [, { health }] = (await views(2)) as [PageView, PageView];
    expect(health).toEqual({
      isReady: false,
      checks: [
        { name: 'counted', outcome: 'ok' },
        { name: 'x', outcome: expect.stringContaining('check x: timeout: "soon" is not') },
        { name: 'db', outcome: 'the check returned false' },
      ],
    });
  });

  it('leaves out sources that fail, and figures that are none', async () => {
    const reading = (value: unknown) =>
      ({ name: String(value), kind: 'gauge', value, description: '' }) as MetricReading;
    metrics = [
      { [METRIC_SOURCE]: true, metrics: () => [reading(1), reading(Number.NaN), reading(2n)] },
      {
        [METRIC_SOURCE]: true,
        *metrics() {
          yield reading(1);
          throw new Error('boom');
        },
      },
      { [METRIC_SOURCE]: true, metrics: () => [null as unknown as MetricReading] },
    ];
    await serve();
    const { views } = await follow();
    const [{ sections }] = (await views(1)) as [PageView];
    expect(sections.overview!.figures.map(({ name, value }) => [name, value])).toEqual([
      ['1', 1],
      ['NaN', null],
      ['2', null],
    ]);
  });

  it('ends a stream after a quarter of an hour, so that the guard is asked again', async () => {
    await serve({ interval: '1m', history: '5m' });
    const { response, views } = await follow();
    await clock.advance(899_000);
    await views(15);
    const ended = once(response, 'end');
    expect(response.readableEnded).toBe(false);
    await clock.advance(1_000);
    await ended;
  });

  it('drops a viewer who does not read', async () => {
    services = Array.from({ length: 2_000 }, (_, index) => ({
      name: `${index}`.padStart(200, '.'),
      state: 'ready',
      since: 0,
      attempt: 0,
      restarts: 0,
      askedRestarts: 0,
      tier: 'service',
    }));
    await serve();
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.pause();
    socket.write('GET /overview HTTP/1.1\r\nhost: x\r\n\r\n');
    // The feed's own timer remains, and that of no viewer.
    while (clock.pending < 2) await turn();
    for (let second = 0; second < 200 && clock.pending > 1; second++) {
      await clock.advance(1_000);
      await turn();
    }
    expect(clock.pending).toBe(1);
    socket.destroy();
  });

  it('leaves no timer behind', async () => {
    await serve();
    const { response, views } = await follow();
    await views(1);
    feed.observer.serviceStopping!({ service: 'a' });
    const ended = once(response, 'end');
    feed.stop();
    expect(clock.pending).toBe(0);
    await ended;
  });
});
