import { Server, createConnection } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import {
  CLOSE_LAST,
  type CloseLast,
  HEALTH_SOURCE,
  type HealthSource,
  METRIC_SOURCE,
  type MetricSource,
  RELOADABLE,
  type Reloadable,
  WORK_SCOPE,
  type WorkScope,
} from '@apix/contracts';
import {
  Controller,
  Get,
  type INestApplication,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { MessagePattern, Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Cron, ScheduleModule } from '@nestjs/schedule';
import { untilAborted } from '../outcome.js';
import type { Hosted } from '../service.js';
import { startHost } from '../testing/start-host.js';
import { APP_ATTACHMENT, type AppAttachment } from './app-attachment.js';
import { OnReload, OnStarted, OnStopped, OnStopping, StartupTask } from './hook.decorators.js';
import { HostRef } from './host-ref.js';
import { HostSource } from './host-source.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';

const log: string[] = [];

@Controller()
class Hello {
  @Get() hello() {
    return 'hello';
  }

  @MessagePattern('hello') message() {
    return 'hello';
  }
}

@HostedService({ name: 'outbox' })
class Outbox implements Hosted, OnModuleInit, OnModuleDestroy {
  onModuleInit() {
    log.push('init');
  }

  onModuleDestroy() {
    log.push('destroy');
  }

  async start(signal: AbortSignal): Promise<void> {
    log.push('start');
    await untilAborted(signal);
  }

  stop() {
    log.push('stop');
  }

  @StartupTask('before', { phase: 'beforeInit' }) before() {
    log.push('before');
  }

  @StartupTask('after') after() {
    log.push('after');
  }

  @OnStarted() started() {
    log.push('started');
  }

  @OnStopping() stopping() {
    log.push('stopping');
  }

  @OnStopped() stopped() {
    log.push('stopped');
  }

  @OnReload() reload() {
    log.push('reload');
  }

  @Cron('* * * * * *') tick() {}
}

@Injectable()
class Seams implements WorkScope, Reloadable, CloseLast, AppAttachment {
  readonly [WORK_SCOPE] = true as const;
  readonly [RELOADABLE] = true as const;
  readonly [CLOSE_LAST] = true as const;
  readonly [APP_ATTACHMENT] = true as const;
  readonly name = 'levels';
  readonly scopes: string[] = [];

  constructor(readonly host: HostRef) {}

  run<T>(kind: string, name: string, fn: () => T): T {
    this.scopes.push(`${kind} ${name}`);
    return fn();
  }

  attach(app: INestApplication) {
    log.push(`attach to ${app.getMicroservices().length}`);
  }

  reload() {
    log.push('levels');
  }

  closeLast() {
    log.push('closed last');
  }
}

@Module({
  imports: [
    HostxModule.forRoot({ shutdownTimeout: '7s', environment: 'Test' }),
    ScheduleModule.forRoot(),
  ],
  controllers: [Hello],
  providers: [Outbox, Seams],
})
class App {}

describe.each([
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
])('runHost on %s', (_, platform) => {
  it('creates, runs tasks, starts, serves, reloads and stops in order', async () => {
    log.length = 0;
    const { app, host, stop } = await startHost(App, platform());
    const url = await app!.getUrl();
    expect(await (await fetch(url)).text()).toBe('hello');
    const ref = app!.get(Seams).host;
    expect(ref.state.services.map(({ name }) => name)).toEqual(['outbox', 'http']);
    expect(host.shutdownTimeout).toBe(7_000);
    expect(ref.environment.is('test')).toBe(true);
    await ref.reload();
    ref.shutdown();
    expect(await stop()).toBeUndefined();
    expect(log.join(', ')).toBe(
      'attach to 0, before, init, after, start, started, levels, reload, stopping, stop, ' +
        'destroy, stopped, closed last',
    );
    expect(app!.get(Seams).scopes).toEqual([
      'task before',
      'task app.init()',
      'task after',
      'service outbox',
      'service http',
      'service http',
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
      'service http',
    ]);
    expect(failures()).toEqual([]);
    expect(metrics()).toEqual([
      'hostx.host.up  1',
      'hostx.service.restarts outbox 0',
      'hostx.service.restarts http 0',
    ]);
    host.shutdown('SIGTERM');
    expect(failures()).toEqual(['ready host: hostx: the host is stopping: SIGTERM']);
    expect(metrics()[0]).toBe('hostx.host.up  0');
    await stop();
  });

  it('may do without HostxModule and without HTTP', async () => {
    @Module({ providers: [Outbox] })
    class Bare {}
    const { host, stop } = await startHost(Bare, { http: false });
    expect(host.state.services.map(({ name }) => name)).toEqual(['outbox']);
    expect(await stop()).toBeUndefined();
  });
});

describe('what fails in a Nest app', () => {
  const boom = (): never => {
    throw new Error('boom');
  };

  it('a constructor: nothing starts', async () => {
    @Injectable()
    class Bad {
      readonly broken = boom();
    }
    @Module({ imports: [App], providers: [Bad] })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow('boom');
  });

  it.each([
    ['onModuleInit', 'hostx: startup task app.init(): boom'],
    ['onApplicationBootstrap', 'hostx: startup task app.init(): boom'],
  ])('%s: the app is closed and the error says where', async (hook, message) => {
    log.length = 0;
    @Injectable()
    class Bad {}
    Object.defineProperty(Bad.prototype, hook, { value: boom });
    @Module({ imports: [App], providers: [Bad] })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow(message);
    expect(log).not.toContain('start');
    expect(log).toContain('destroy');
  });

  it.each(['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'])(
    '%s: Nest logs it, and the rest still stops',
    async (hook) => {
      log.length = 0;
      @Injectable()
      class Bad {}
      Object.defineProperty(Bad.prototype, hook, { value: boom });
      @Module({ imports: [App], providers: [Bad] })
      class Root {}
      const { stop } = await startHost(Root);
      await stop();
      expect(log.slice(-2)).toEqual(['stopped', 'closed last']);
    },
  );

  it('the port: the error names the service, and what had started is stopped', async () => {
    log.length = 0;
    const taken = new Server().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    await expect(startHost(App, { http: { port, host: '127.0.0.1' } })).rejects.toThrow(
      /^hostx: http service http: .* is in use; /,
    );
    expect(log).toContain('stop');
    taken.close();
  });

  it('the build: every mistake at once, and the app is closed', async () => {
    log.length = 0;
    @HostedService({ name: 'outbox', after: ['nobody'], restart: { factor: 0 } })
    class Twice implements Hosted {
      start() {}
    }
    @Module({ imports: [App], providers: [Twice] })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow(
      'hostx: the host cannot be built: service outbox: the name is taken; ' +
        'service outbox: restart policy: factor: 0 is below 1, delays would shrink; ' +
        'service outbox: comes after nobody, which nobody registered',
    );
    expect(log).toContain('destroy');
  });
});

async function freePort(): Promise<number> {
  const server = new Server().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function connects(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    }).on('error', reject);
  });
}
