import { describe, expect, it } from '@jest/globals';
import { CLOSE_LAST, type CloseLast } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import {
  Controller,
  Get,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type TcpOptions, Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import { consoleLogger } from '../log/adapters.js';
import type { Hosted } from '../service.js';
import { startHost } from '../testing/start-host.js';
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
    [
      'an adapter of another type',
      () => NestFactory.create(App, new NodeAdapter(), { logger: false, abortOnError: false }),
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

  it('serves a microservice without HTTP too', async () => {
    log.length = 0;
    const tcp: TcpOptions = { transport: Transport.TCP, options: { port: 0, host: '127.0.0.1' } };
    const app = await NestFactory.createMicroservice(App, { ...tcp, logger: false });
    await app.listen();
    expect(log).toContain('started');
    await app.close();
    expect(log).toContain('stop');
  });
});

describe('the app of an end-to-end test', () => {
  it.each([
    ['with the defaults', {}],
    ['with the delay of its production', { environment: 'Production', drain: { delay: '10s' } }],
  ])('closes at once: %s', async (_, options) => {
    @Module({
      imports: [HostxModule.forRoot({ ...options, logger: null })],
      controllers: [Hello],
      providers: [Worker],
    })
    class Root {}
    const module = await Test.createTestingModule({ imports: [Root] }).compile();
    const app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    expect(await (await fetch(await app.getUrl())).text()).toBe('hello');
    const begun = performance.now();
    await app.close();
    expect(performance.now() - begun).toBeLessThan(2_500);
  });
});

describe('an application context, of a script or a REPL', () => {
  it('starts nothing, and closes what the app logs to', async () => {
    log.length = 0;
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    expect(app.get(HostRef).state).toMatchObject({ phase: 'idle', services: [] });
    app.get(HostRef).shutdown();
    await app.get(HostRef).reload();
    await app.close();
    expect(log).toEqual(['bootstrap', 'destroy', 'closed last']);
  });

  it('names the services that did not start', async () => {
    const lines: string[] = [];
    const write = (message: string): void => void lines.push(message);
    const logger = consoleLogger({ info: write, warn: write, error: write });
    @Module({ imports: [HostxModule.forRoot({ logger })], providers: [Worker] })
    class Script {}
    const app = await NestFactory.createApplicationContext(Script, { logger: false });
    await app.close();
    expect(lines).toEqual([
      'hostx: Host does not run in an application context, so worker did not start; ' +
        'set the option applicationContext to run it there',
    ]);
  });

  it('runs the host if it is asked to', async () => {
    log.length = 0;
    @Module({
      imports: [HostxModule.forRoot({ logger: null, applicationContext: true })],
      providers: [Worker],
    })
    class WorkerApp {}
    const app = await NestFactory.createApplicationContext(WorkerApp, { logger: false });
    expect(log).toContain('started');
    await app.close();
    expect(log).toContain('stop');
  });

  it('is what a testing module without an app is', async () => {
    log.length = 0;
    const module = await Test.createTestingModule({ imports: [App] }).compile();
    await module.init();
    await module.close();
    expect(log).toEqual(['bootstrap', 'destroy', 'closed last']);
  });
});

describe('HostRef', () => {
  it.each<[string, object, number, string]>([
    ['of HostxModule', { shutdownTimeout: '7s', environment: 'Blue' }, 7_000, 'Blue'],
    ['by default', {}, 30_000, 'Test'],
  ])(
    'has the shutdown timeout and the environment %s, before and after',
    async (_, options, ms, name) => {
      const seen: unknown[] = [];
      @Injectable()
      class Early {
        constructor(host: HostRef) {
          seen.push(host.shutdownTimeout, host.environment.name);
        }
      }
      @Module({
        imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 }, ...options })],
        providers: [Early],
      })
      class Root {}
      const app = await NestFactory.create(Root, { logger: false });
      await app.listen(0, '127.0.0.1');
      const ref = app.get(HostRef);
      seen.push(ref.shutdownTimeout, ref.environment.name);
      await app.close();
      expect(seen).toEqual([ms, name, ms, name]);
    },
  );

  it('has the shutdown timeout of runHost, which takes precedence', async () => {
    @Module({ imports: [HostxModule.forRoot({ shutdownTimeout: '7s' })] })
    class Root {}
    const { app } = await startHost(Root, { shutdownTimeout: '8s' });
    expect(app!.get(HostRef).shutdownTimeout).toBe(8_000);
  });

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
