import { createConnection } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  HEALTH_SOURCE,
  type HealthSource,
  METRIC_SOURCE,
  type MetricSource,
} from '@apix/contracts';
import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { freePort } from '../../../../tools/testing/free-port.js';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { startHost } from '../testing/start-host.js';
import { App, Outbox, Seams, log } from './app.fixture.js';
import { HostSource } from './host-ref.js';

describe.each([
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
  ['an adapter of another type', () => ({ adapter: new NodeAdapter() })],
])('runHost on %s', (_, platform) => {
  it('creates, runs tasks, starts, serves, reloads and stops in order', async () => {
    log.length = 0;
    const { app, host, stop } = await startHost(App, platform());
    const url = await app!.getUrl();
    expect(await (await fetch(url)).text()).toBe('hello');
    const ref = app!.get(Seams).host;
    expect(ref.state.services.map(({ name }) => name)).toEqual([
      'outbox',
      'background-work',
      'http',
    ]);
    expect(host.shutdownTimeout).toBe(7_000);
    expect(ref.environment.is('test')).toBe(true);
    await ref.reload();
    await ref.restartService('outbox');
    ref.shutdown();
    expect(await stop()).toBeUndefined();
    expect(log.join(', ')).toBe(
      'attach to 0, before, init, after, start, started, levels, reload, stop, start, stopping, stop, ' +
        'destroy, stopped, closed last',
    );
    expect(app!.get(Seams).scopes.filter((scope) => !scope.startsWith('cron'))).toEqual([
      'task before',
      'task after',
      'service outbox',
      'service outbox',
      'service outbox',
      'service outbox',
    ]);
    await expect(fetch(url)).rejects.toThrow();
  });
});

describe('a Nest app under the host', () => {
  it('has its connected microservices started and stopped within the order', async () => {
    log.length = 0;
    const port = await freePort();
    const options = { transport: Transport.TCP, options: { port, host: '127.0.0.1' } };
    const { host, stop } = await startHost(App, { microservices: [options] });
    expect(host.state.services.map(({ name }) => name)).toEqual([
      'outbox',
      'background-work',
      'microservices',
      'http',
    ]);
    await connects(port);
    expect(await stop()).toBeUndefined();
    await expect(connects(port)).rejects.toThrow('ECONNREFUSED');
    expect(log).toContain('attach to 1');
  });

  it('stops the cron jobs of the app', async () => {
    const { app, stop } = await startHost(App);
    const { SchedulerRegistry } = await import('@nestjs/schedule');
    const registry = app!.get(SchedulerRegistry, { strict: false });
    const [job] = [...registry.getCronJobs().values()];
    expect(job!.isActive).toBe(true);
    expect(await stop()).toBeUndefined();
    expect(job!.isActive).toBe(false);
  });

  it('cannot fight it with enableShutdownHooks', async () => {
    const count = () => process.listenerCount('SIGTERM');
    const before = count();
    const { app } = await startHost(App, { configure: (app) => void app.enableShutdownHooks() });
    app!.enableShutdownHooks();
    expect(count()).toBe(before);
  });

  it('offers the health and the metrics of the host', async () => {
    const { app, host, stop } = await startHost(App);
    const source: HealthSource & MetricSource = app!.get(HostSource, { strict: false });
    expect(source[HEALTH_SOURCE]).toBe(true);
    expect(source[METRIC_SOURCE]).toBe(true);
    const failures = () =>
      source.healthChecks().flatMap((one) => {
        try {
          void one.check(AbortSignal.timeout(1_000));
          return [];
        } catch (error) {
          return [`${one.affects} ${one.name}: ${(error as Error).message}`];
        }
      });
    const metrics = () =>
      [...source.metrics()].map(
        ({ name, value, attributes }) => `${name} ${attributes?.['service'] ?? ''} ${value}`,
      );
    expect(source.healthChecks().map(({ name }) => name)).toEqual([
      'host',
      'service outbox',
      'service background-work',
      'service http',
    ]);
    expect(failures()).toEqual([]);
    expect(metrics()).toEqual([
      'hostx.host.up  1',
      'hostx.service.restarts outbox 0',
      'hostx.service.asked_restarts outbox 0',
      'hostx.service.restarts background-work 0',
      'hostx.service.asked_restarts background-work 0',
      'hostx.service.restarts http 0',
      'hostx.service.asked_restarts http 0',
    ]);
    host.shutdown('SIGTERM');
    expect(failures()).toEqual(['ready host: hostx: the host is stopping: SIGTERM']);
    expect(metrics()[0]).toBe('hostx.host.up  0');
    await stop();
  });

  it('is stopped in order by app.close() of its own code, however often it is called', async () => {
    log.length = 0;
    const { app, host, stop } = await startHost(App);
    await Promise.all([app!.close(), app!.close()]);
    expect(host.state).toMatchObject({ phase: 'stopped', reason: 'app.close()' });
    expect(log.slice(-5).join(', ')).toBe('stopping, stop, destroy, stopped, closed last');
    expect(await stop()).toBeUndefined();
  });

  it.each([
    ['SIGTERM', 'SIGTERM'],
    ['a reason of the app', undefined],
  ])('has its shutdown hooks told the signal, if it stops for one: %s', async (reason, told) => {
    const seen: unknown[] = [];
    class Hooks implements OnApplicationShutdown {
      onApplicationShutdown(signal?: string): void {
        seen.push(signal);
      }
    }
    @Module({ providers: [Hooks] })
    class Root {}
    const { host, stop } = await startHost(Root, { http: false });
    host.shutdown(reason);
    await stop();
    expect(seen).toEqual([told]);
  });

  it('may do without HostxModule and without HTTP', async () => {
    @Module({ providers: [Outbox] })
    class Bare {}
    const { host, stop } = await startHost(Bare, { http: false });
    expect(host.state.services.map(({ name }) => name)).toEqual(['outbox']);
    expect(await stop()).toBeUndefined();
  });
});

function connects(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    }).on('error', reject);
  });
}
