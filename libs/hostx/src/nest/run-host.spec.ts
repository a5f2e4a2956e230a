import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { Hosted } from '../service.js';
import { OnStarted, OnStopped, OnStopping, StartupTask } from './hook.decorators.js';
import { HostRef } from './host-ref.js';
import { HostedService } from './hosted-service.decorator.js';
import { HostxModule } from './hostx.module.js';
import { openApp } from './open-app.js';

const log: string[] = [];

@Controller()
class Hello {
  @Get() hello() {
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
  start(signal: AbortSignal): Promise<void> {
    log.push('start');
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
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
}

@Injectable()
class Curious {
  constructor(readonly host: HostRef) {}
}

@Module({
  imports: [HostxModule.forRoot({ logger: null, http: { port: 0, host: '127.0.0.1' } })],
  controllers: [Hello],
  providers: [Outbox, Curious],
})
class App {}

describe.each([
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
])('runHost on %s', (_, platform) => {
  it('creates, runs tasks, starts, serves and stops in order', async () => {
    log.length = 0;
    const { app, host } = await openApp(App, {
      ...platform(),
      drain: { delay: 0 },
      nest: { logger: false },
    });
    const run = host.runContext();
    while (host.state.phase !== 'running') await new Promise((resolve) => setImmediate(resolve));
    const url = await app.getUrl();
    expect(await (await fetch(url)).text()).toBe('hello');
    expect(app.get(Curious).host.state.services.map(({ name }) => name)).toEqual([
      'outbox',
      'http',
    ]);
    host.shutdown();
    await run;
    expect(log).toEqual('before init after start started stopping stop destroy stopped'.split(' '));
    await expect(fetch(url)).rejects.toThrow();
  });
});
