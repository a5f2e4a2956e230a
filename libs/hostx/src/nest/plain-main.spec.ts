import { describe, expect, it } from '@jest/globals';
import { CLOSE_LAST, type CloseLast, untilAborted } from '@apix/contracts';
import {
  Controller,
  Get,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Hosted } from '../service.js';
import { OnStarted, StartupTask } from './hook.decorators.js';
import { HostRef } from './host-ref.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';

const log: string[] = [];

@Controller()
class Hello {
  @Get() hello() {
    return 'hello';
  }
}

@HostedService({ name: 'worker' })
class Worker implements Hosted, OnApplicationBootstrap, OnModuleDestroy, CloseLast {
  readonly [CLOSE_LAST] = true as const;

  onApplicationBootstrap() {
    log.push('bootstrap');
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

  @StartupTask('task') task() {
    log.push('task');
  }

  @OnStarted() started() {
    log.push('started');
  }

  closeLast() {
    log.push('closed last');
  }
}

@Module({
  imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } })],
  controllers: [Hello],
  providers: [Worker],
})
class App {}

describe('a plain NestFactory.create and listen', () => {
  it.each([
    ['Express', () => NestFactory.create(App, { logger: false, abortOnError: false })],
    [
      'Fastify',
      () => NestFactory.create(App, new FastifyAdapter(), { logger: false, abortOnError: false }),
    ],
  ])('has its services started and stopped on %s', async (_, create) => {
    log.length = 0;
    const app = await create();
    await app.listen(0, '127.0.0.1');
    const ref = app.get(HostRef);
    while (ref.state.phase !== 'running') await new Promise((resolve) => setImmediate(resolve));
    expect(await (await fetch(await app.getUrl())).text()).toBe('hello');
    await app.close();
    expect(ref.state.phase).toBe('stopped');
    expect(log.filter((entry) => entry !== 'bootstrap').join(', ')).toBe(
      'task, start, started, stop, destroy, closed last',
    );
  });

  it('starts services with init alone, and counts as started only once it listens', async () => {
    log.length = 0;
    const app = await NestFactory.create(App, { logger: false, abortOnError: false });
    await app.init();
    expect(app.get(HostRef).state.phase).toBe('starting');
    expect(log).toContain('start');
    expect(log).not.toContain('started');
    await app.close();
    expect(log).toContain('stop');
  });

  it('fails to initialise when a service does not start, naming it', async () => {
    @HostedService({ name: 'bad' })
    class Bad implements Hosted {
      start() {
        throw new Error('boom');
      }
    }
    @Module({ imports: [App], providers: [Bad] })
    class Root {}
    const app = await NestFactory.create(Root, { logger: false, abortOnError: false });
    await expect(app.init()).rejects.toThrow('hostx: service bad: boom');
    await app.close();
  });

  it('serves an application context too', async () => {
    log.length = 0;
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    expect(log).toContain('started');
    await app.close();
    expect(log).toContain('stop');
  });
});

describe('HostRef', () => {
  it('is there before the host, and remembers a shutdown asked for then', async () => {
    @Injectable()
    class Hasty {
      constructor(host: HostRef) {
        expect(host.state.phase).toBe('idle');
        host.shutdown('too early');
      }
    }
    @Module({ imports: [App], providers: [Hasty] })
    class Root {}
    const { runHost } = await import('./run-host.js');
    log.length = 0;
    await runHost(Root, { http: false, nest: { logger: false }, linger: false });
    expect(log).not.toContain('start');
  });
});
