import { once } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, type MicroserviceOptions } from '@nestjs/microservices';
import { firstValueFrom, share, toArray } from 'rxjs';
import { startHost } from '../../testing/start-host.js';
import { BackgroundWork } from './background-work.js';
import { Database, GuestApp, Slow, type Tcp, events, freeTcp, log } from './guest-app.fixture.js';

interface Started {
  readonly app: INestApplicationContext;
  readonly url: string;
  readonly stop: () => Promise<unknown>;
}

/** An app that was there before the host, and how it is started and stopped. */
type Start = (tcp: Tcp) => Promise<Started>;

const underRunHost: Start = async (tcp) => {
  const { app, stop } = await startHost(GuestApp, { microservices: [tcp] });
  return { app: app!, url: await app!.getUrl(), stop };
};

const withPlainMain: Start = async (tcp) => {
  const app = await NestFactory.create(GuestApp, { logger: false });
  app.connectMicroservice(tcp, { inheritAppConfig: true });
  await app.startAllMicroservices();
  await app.listen(0, '127.0.0.1');
  return { app, url: await app.getUrl(), stop: () => app.close() };
};

beforeEach(() => void log.splice(0));

const FROM_TIMERS = ['cron', 'interval', 'timeout'];
const FROM_OUTSIDE = ['message', 'list', 'event', 'request'];

describe.each([
  ['runHost', underRunHost],
  ['a plain main', withPlainMain],
])('the background work of an app under %s', (_, start) => {
  it('ends before anything that it uses is closed, and nothing new begins', async () => {
    const begun = Promise.all(
      [...FROM_TIMERS, ...FROM_OUTSIDE].map((who) => once(events, `${who} begun`)),
    );
    const tcp = await freeTcp();
    const { app, url, stop } = await start(tcp);
    const client = ClientProxyFactory.create(tcp);
    const answers = Promise.all([
      firstValueFrom(client.send('slow', {})),
      firstValueFrom(client.send('list', {}).pipe(toArray())),
      fetch(`${url}/slow`).then((response) => response.text()),
    ]);
    client.emit('order.*', {}).subscribe();
    await begun;

    expect(await stop()).toBeUndefined();
    expect(await answers).toEqual(['message', ['first', 'list'], 'request']);
    client.close();
    const done = log.filter((what) => what.endsWith(' done'));
    expect(done.toSorted()).toEqual(
      [...FROM_TIMERS, ...FROM_OUTSIDE].map((who) => `${who} done`).toSorted(),
    );
    expect(log.indexOf('db closed')).toBeGreaterThan(log.indexOf(done.at(-1)!));
    expect(log).not.toContain('late');

    const { scopes } = app.get(Slow, { strict: false });
    expect(Object.fromEntries(scopes)).toEqual({
      cron: 'cron Slow.cron',
      interval: 'cron Slow.interval',
      timeout: 'cron Slow.timeout',
      message: 'message TCP slow',
      list: 'message TCP list',
      event: 'message TCP order.*',
      request: undefined,
    });
  });

  it('has rows and figures', async () => {
    const broken = once(events, 'broken');
    const { app, stop } = await start(await freeTcp());
    await broken;
    const work = app.get(BackgroundWork, { strict: false });
    const [row] = work.jobs().filter(({ name }) => name === 'Slow.broken');
    expect(row).toEqual({
      name: 'Slow.broken',
      schedule: 'once after 20 ms',
      phase: 'waiting',
      next: null,
      lastStart: expect.any(Date),
      lastDurationMs: expect.any(Number),
      lastOutcome: 'failed',
      lastError: 'no paper',
      runs: 1,
      failures: 1,
    });
    const cron = work.jobs().find(({ name }) => name === 'Slow.cron')!;
    expect(cron.schedule).toBe('cron * * * * * *');
    expect(cron.next!.getTime()).toBeGreaterThan(Date.now() - 1_000);
    const figures = [...work.metrics()]
      .filter(({ attributes }) => attributes!['work'] === 'Slow.broken')
      .map(({ name, value, attributes }) => [name, attributes!['outcome'], value]);
    expect(figures).toEqual([
      ['hostx.work.running', undefined, 0],
      ['hostx.work.runs', 'ok', 0],
      ['hostx.work.runs', 'failed', 1],
      ['hostx.work.last_duration', undefined, expect.any(Number)],
    ]);
    await stop();
  });
});

describe('the messages under way of an app that is a microservice', () => {
  it('are answered before anything that they use is closed', async () => {
    const begun = once(events, 'message begun');
    const tcp = await freeTcp();
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(GuestApp, {
      ...tcp,
      logger: false,
    });
    await app.listen();
    const client = ClientProxyFactory.create(tcp);
    const answer = firstValueFrom(client.send('slow', {}));
    await begun;
    await app.close();
    expect(await answer).toBe('message');
    expect(log.indexOf('db closed')).toBeGreaterThan(log.indexOf('message done'));
    client.close();
  });
});

describe('a message that no handler is for', () => {
  it.each([
    ['runHost', underRunHost],
    ['a plain main', withPlainMain],
  ])('is answered as without the host, and others after it: %s', async (_, start) => {
    const tcp = await freeTcp();
    const { stop } = await start(tcp);
    const client = ClientProxyFactory.create(tcp);
    const unknown = firstValueFrom(client.send('nobody', {}));
    await expect(unknown).rejects.toBe(
      'There is no matching message handler defined in the remote service.',
    );
    expect(await firstValueFrom(client.send<number>('endless', {}))).toBe(0);
    client.close();
    expect(await stop()).toBeUndefined();
  });
});

describe('a stream of answers without end', () => {
  it('is ended regularly, a second after the rest', async () => {
    const tcp = await freeTcp();
    const { stop } = await startHost(GuestApp, { microservices: [tcp] });
    const client = ClientProxyFactory.create(tcp);
    const stream = client.send<number>('endless', {}).pipe(share());
    const all = firstValueFrom(stream.pipe(toArray()));
    await firstValueFrom(stream);
    expect(await stop()).toBeUndefined();
    expect((await all).length).toBeGreaterThan(1);
    expect(log).toContain('endless ended');
    client.close();
  });
});

describe('background: false', () => {
  it('leaves every handler to its module', async () => {
    const interval = once(events, 'interval begun');
    const tcp = await freeTcp();
    const { app, host, stop } = await startHost(GuestApp, {
      microservices: [tcp],
      background: false,
    });
    await interval;
    expect(host.state.services.map(({ name }) => name)).toEqual(['microservices', 'http']);
    expect(app!.get(BackgroundWork, { strict: false }).jobs()).toEqual([]);
    expect(app!.get(Slow, { strict: false }).scopes.get('interval')).toBeUndefined();
    // Its handlers must not meet a closed database in the tests after this one.
    app!.get(Database, { strict: false }).onModuleDestroy = () => {};
    const done = once(events, 'interval done');
    await stop();
    await done;
  });
});

describe('background work that does not end', () => {
  it('is named when the time is up', async () => {
    const begun = Promise.all([once(events, 'interval begun'), once(events, 'message begun')]);
    const tcp = await freeTcp();
    const { stop } = await startHost(GuestApp, { microservices: [tcp], shutdownTimeout: 100 });
    const client = ClientProxyFactory.create(tcp);
    const answer = firstValueFrom(client.send('slow', {})).catch(() => 'lost');
    await begun;
    const error = await stop();
    expect(error?.message).toContain(
      'hostx: service microservices: stop: not finished in time: TCP slow',
    );
    expect(await answer).toBe('lost');
    client.close();
  });
});
