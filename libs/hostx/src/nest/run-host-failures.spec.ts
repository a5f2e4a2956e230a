import { Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import type { Hosted } from '../service.js';
import { startHost } from '../testing/start-host.js';
import { App, log } from './app.fixture.js';
import { APP_ATTACHMENT } from './app-attachment.js';
import { OnStarted, OnStopped, OnStopping, StartupTask } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';

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

  it('a provider that is made asynchronously: nothing starts', async () => {
    const provider = { provide: 'bad', useFactory: () => Promise.reject(new Error('boom')) };
    @Module({ imports: [App], providers: [provider] })
    class Root {}
    log.length = 0;
    await expect(startHost(Root)).rejects.toThrow('boom');
    expect(log).toEqual([]);
  });

  it.each([
    ['configure, thrown', { configure: boom }],
    ['configure, rejected', { configure: () => Promise.reject(new Error('boom')) }],
    ['extend', { extend: boom }],
  ])('%s: nothing starts, and the app is closed', async (_, options) => {
    log.length = 0;
    await expect(startHost(App, options)).rejects.toThrow('boom');
    expect(log).not.toContain('start');
    expect(log).toContain('destroy');
  });

  it.each([
    ['thrown', boom],
    ['rejected', () => Promise.reject(new Error('boom'))],
  ])('an attachment, %s: nothing starts, and the app is closed', async (_, attach) => {
    log.length = 0;
    @Module({
      imports: [App],
      providers: [{ provide: 'bad', useValue: { [APP_ATTACHMENT]: true, attach } }],
    })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow('boom');
    expect(log).not.toContain('start');
    expect(log).toContain('destroy');
  });

  it.each<[string, MethodDecorator, string, readonly string[]]>([
    ['a startup task', StartupTask('x'), 'hostx: startup task x: boom', []],
    ['a started hook', OnStarted(), 'hostx: started hook Bad.hook: boom', ['start', 'stop']],
    ['a stopping hook', OnStopping(), 'hostx: stopping hook Bad.hook: boom', ['start', 'stop']],
    ['a stopped hook', OnStopped(), 'hostx: stopped hook Bad.hook: boom', ['start', 'stop']],
  ])('%s of a provider: the error names it, what started stops', async (_, mark, message, ran) => {
    log.length = 0;
    class Bad {
      async hook(): Promise<void> {
        await Promise.resolve();
        boom();
      }
    }
    mark(Bad.prototype, 'hook', Object.getOwnPropertyDescriptor(Bad.prototype, 'hook')!);
    Injectable()(Bad);
    @Module({ imports: [App], providers: [Bad] })
    class Root {}
    const ended = startHost(Root).then(({ stop }) => stop());
    expect(String(await ended.catch((error: unknown) => error))).toContain(message);
    expect(log.filter((what) => ['start', 'stop'].includes(what))).toEqual(ran);
    expect(log).toContain('destroy');
    expect(log.at(-1)).toBe('closed last');
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

  it('a delay of the drain that is none, also in an app without HTTP', async () => {
    await expect(startHost(App, { http: false, drain: { delay: 'soon' } })).rejects.toThrow(
      /^hostx: drain\.delay: .*soon/,
    );
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
