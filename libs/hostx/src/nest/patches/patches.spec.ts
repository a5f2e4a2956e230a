import { replaceOn } from '@apix/contracts/internal';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleDestroy, type Type } from '@nestjs/common';
import { type AbstractHttpAdapter, NestApplication, NestFactory } from '@nestjs/core';
import { NestMicroservice, Transport } from '@nestjs/microservices';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { withNest } from '../../../../../tools/testing/nest-major.js';
import { startHost } from '../../testing/start-host.js';
import { HostxModule } from '../hostx.module.js';
import { CloseFirst, CloseFirstModule } from './module-order.js';

@Module({})
class Empty {}

const ADAPTERS: [string, Type<AbstractHttpAdapter>][] = [
  ['Express', ExpressAdapter],
  ['Fastify', FastifyAdapter as Type<AbstractHttpAdapter>],
];

const own = (target: object, name: string) => Object.getOwnPropertyDescriptor(target, name);

describe('what the patches rely on: Nest', () => {
  it('handles signals by enableShutdownHooks of the app', () => {
    expect(NestApplication.prototype).toHaveProperty('enableShutdownHooks', expect.any(Function));
  });

  it.each(ADAPTERS)('listens by adapter.listen(port, callback), on %s', async (_, Adapter) => {
    const app = await NestFactory.create(Empty, new Adapter(), { logger: false });
    const calls: unknown[][] = [];
    const adapter = app.getHttpAdapter() as { listen(...args: unknown[]): void };
    const undo = replaceOn(adapter, 'listen', () => (...args) => {
      calls.push(args);
      const server = app.getHttpServer() as { listen(port: number, listening: unknown): void };
      server.listen(0, args[1]);
    });
    await app.listen(0);
    undo();
    await app.close();
    expect(calls).toEqual([[0, expect.any(Function)]]);
  });

  it('listens to all signals of its shutdown hooks by one function called cleanup', async () => {
    const before = process.listeners('SIGTERM');
    const app = await NestFactory.create(Empty, { logger: false });
    app.enableShutdownHooks();
    const added = process.listeners('SIGTERM').filter((one) => !before.includes(one));
    expect(added.map(({ name }) => name)).toEqual(['cleanup']);
    expect(process.listeners('SIGHUP')).toContain(added[0]);
    await app.close();
    expect(process.listeners('SIGHUP')).not.toContain(added[0]);
  });

  it('closes a microservice by close(), and its hooks not after setIsTerminated(true)', () => {
    const { prototype } = NestMicroservice;
    expect(prototype).toHaveProperty('close.length', 0);
    expect(prototype).toHaveProperty('setIsTerminated.length', 1);
  });

  it.each(ADAPTERS)(
    'begins app.close() with beforeClose or destroy hooks, on %s',
    async (_, Adapter) => {
      const log: string[] = [];
      @Injectable()
      class Hooked implements OnModuleDestroy {
        onModuleDestroy() {
          log.push('root');
        }
      }
      @Module({ imports: [CloseFirstModule], providers: [Hooked] })
      class App {}
      const app = await NestFactory.create(App, new Adapter(), { logger: false });
      await app.init();
      const adapter = app.getHttpAdapter() as { beforeClose?: () => unknown };
      replaceOn(adapter, 'beforeClose', () => () => log.push('beforeClose'));
      app.get(CloseFirst).onClose(() => Promise.resolve(void log.push('first')));
      await app.close();
      expect(log).toEqual(
        withNest({ 11: ['first', 'root'], 12: ['beforeClose', 'first', 'root'] }),
      );
    },
  );

  it('destroys modules one by one, that of CloseFirst before the root and whatever it waits for', async () => {
    const log: string[] = [];
    @Injectable()
    class Hooked implements OnModuleDestroy {
      onModuleDestroy() {
        log.push('root');
      }
    }
    @Module({ imports: [CloseFirstModule], providers: [Hooked] })
    class App {}
    const context = await NestFactory.createApplicationContext(App, { logger: false });
    context.get(CloseFirst).onClose(async () => {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      log.push('first');
    });
    await context.close();
    expect(log).toEqual(['first', 'root']);
  });
});

describe('after the close', () => {
  it('of runHost the app, its adapter and its microservices are as they were', async () => {
    const { app, stop } = await startHost(Empty, {
      microservices: [{ transport: Transport.TCP, options: { port: 0, host: '127.0.0.1' } }],
    });
    const adapter = app!.getHttpAdapter();
    const [microservice] = app!.getMicroservices();
    for (const name of ['enableShutdownHooks', 'close']) expect(own(app!, name)).toBeDefined();
    expect(await stop()).toBeUndefined();
    for (const name of ['enableShutdownHooks', 'close']) expect(own(app!, name)).toBeUndefined();
    expect(own(adapter, 'listen')).toBeUndefined();
    expect(own(microservice!, 'close')).toBeUndefined();
  });

  it.each(ADAPTERS)('of a plain main the adapter of %s is as it was', async (_, Adapter) => {
    @Module({ imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } })] })
    class App {}
    const app = await NestFactory.create(App, new Adapter(), { logger: false });
    const adapter = app.getHttpAdapter();
    const before = own(adapter, 'beforeClose');
    await app.listen(0, '127.0.0.1');
    const patched = own(adapter, 'beforeClose') !== undefined;
    expect(patched).toBe(withNest({ 11: false, 12: true }));
    await app.close();
    expect(own(adapter, 'beforeClose')).toEqual(before);
  });
});
