import { Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, Scope } from '@nestjs/common';
import type { Hosted } from '../service.js';
import { startHost } from '../testing/start-host.js';
import type { HostBuilder } from '../host/host-builder.js';
import type { UncaughtPolicy } from '../host/host-handle.js';
import { App, log } from './app.fixture.js';
import type { RunHostOptions } from './open-app.js';
import { APP_ATTACHMENT } from './host-extension.js';
import { OnStarted, OnStopped, OnStopping, StartupTask } from './hook.decorators.js';
import { HostedService } from './hosted-service.decorator.js';

const NOT_A_DURATION =
  'is not a valid duration; use milliseconds or a string such as "500ms", "10s" or "1m30s"';

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

  it('onModuleInit that hangs: the boot timeout ends the start, names it and closes the app', async () => {
    log.length = 0;
    @Injectable()
    class Bad {
      onModuleInit(): Promise<void> {
        return new Promise(() => {});
      }
    }
    @Module({ imports: [App], providers: [Bad] })
    class Root {}
    await expect(startHost(Root, { bootTimeout: 100, shutdownTimeout: 200 })).rejects.toThrow(
      'hostx: not started within the boot timeout of 100 ms: startup task app.init()',
    );
    expect(log).not.toContain('start');
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

  it('the port: the error names the service once, and what had started is stopped', async () => {
    log.length = 0;
    const taken = new Server().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const errors: unknown[] = [];
    const nest = { logger: { log() {}, warn() {}, error: (said: unknown) => errors.push(said) } };
    await expect(startHost(App, { nest, http: { port, host: '127.0.0.1' } })).rejects.toThrow(
      /^hostx: http service http: .* is in use; /,
    );
    expect(log).toContain('stop');
    // Nest would log it too.
    expect(errors.filter((said) => String(said).includes('EADDRINUSE'))).toEqual([]);
    taken.close();
  });

  it.each<[RunHostOptions, string]>([
    [{ shutdownTimeout: 0 }, 'shutdownTimeout: must be greater than 0, not 0'],
    [{ startTimeout: -1 }, `startTimeout: -1 ${NOT_A_DURATION}`],
    [{ http: { port: 70_000 } }, 'http.port: must be an integer from 0 to 65535, not 70000'],
    [{ http: { timeouts: { headers: 'x' } } }, `http.timeouts.headers: "x" ${NOT_A_DURATION}`],
    [{ http: { timeouts: { request: 'x' } } }, `http.timeouts.request: "x" ${NOT_A_DURATION}`],
    [{ http: { timeouts: { keepAlive: 'x' } } }, `http.timeouts.keepAlive: "x" ${NOT_A_DURATION}`],
    [{ http: false, drain: { delay: 'soon' } }, `drain.delay: "soon" ${NOT_A_DURATION}`],
    [{ drain: { closeGrace: 'soon' } }, `drain.closeGrace: "soon" ${NOT_A_DURATION}`],
    [{ drain: { timeout: 'soon' } }, `drain.timeout: "soon" ${NOT_A_DURATION}`],
    [
      { uncaught: 'exit' as UncaughtPolicy },
      'uncaught: must be one of "stop", "report", "ignore", not "exit"',
    ],
    [{ linger: 'x' }, `linger: "x" ${NOT_A_DURATION}`],
  ])('the option %j: it is named, before anything starts', async (options, mistake) => {
    log.length = 0;
    await expect(startHost(App, options)).rejects.toThrow(
      expect.objectContaining({ message: `hostx: ${mistake}`, mistakes: [mistake] }),
    );
    expect(log).not.toContain('before');
  });

  it('the variable PORT: it is named, before anything starts, where no port is set', async () => {
    log.length = 0;
    process.env['PORT'] = 'web';
    try {
      await expect(startHost(App, { http: {} })).rejects.toThrow(
        'hostx: the variable PORT: must be an integer from 0 to 65535, not "web"',
      );
    } finally {
      delete process.env['PORT'];
    }
    expect(log).not.toContain('before');
  });

  it('several options: all are named', async () => {
    const wrong = { shutdownTimeout: 0, linger: 'x', drain: { delay: 'x' }, http: { port: -1 } };
    await expect(startHost(App, wrong)).rejects.toThrow(/^hostx: 4 mistakes:(\n {2}\w+.*){4}$/);
  });

  it('options, and an extend that throws: both are named', async () => {
    const extend = (): never => {
      throw new Error('no registry of services');
    };
    await expect(startHost(App, { shutdownTimeout: 0, extend })).rejects.toThrow(
      new Error(
        [
          'hostx: 2 mistakes:',
          'shutdownTimeout: must be greater than 0, not 0',
          'no registry of services',
        ].join('\n  '),
      ),
    );
  });

  it('options, classes, names and order: all are named together, and nothing else', async () => {
    @HostedService({ name: 'no-start', after: ['http'], tier: 'transport' })
    class NoStart {
      readonly start = undefined as unknown as Hosted['start'];
    }
    @HostedService({ name: 'scoped' })
    @Injectable({ scope: Scope.REQUEST })
    class Scoped implements Hosted {
      start() {}
    }
    @HostedService({ name: 'outbox', after: ['ghost'], stopTimeout: 'soon' })
    class Twice implements Hosted {
      start() {}
    }
    @HostedService({ name: 'around', after: ['around', 'more'] })
    class Around implements Hosted {
      start() {}
    }
    @Module({ imports: [App], providers: [NoStart, Scoped, Twice, Around] })
    class Root {}
    const extend = (builder: HostBuilder): void => {
      builder.addService({ name: 'more', start: () => {} });
    };
    await expect(startHost(Root, { shutdownTimeout: 0, extend })).rejects.toThrow(
      new Error(
        [
          'hostx: 7 mistakes:',
          'shutdownTimeout: must be greater than 0, not 0',
          'service scoped: must be a singleton, but Scoped is request- or transient-scoped, or ' +
            'depends on such a provider',
          'service no-start: NoStart must have a method start, which runs until its signal aborts',
          'service outbox: another service has this name; choose another one',
          `service outbox: stopTimeout: "soon" ${NOT_A_DURATION}`,
          'service outbox: after: there is no service ghost',
          'services wait for each other: around → around; a transport waits for every service',
        ].join('\n  '),
      ),
    );
  });

  it('the build: every mistake at once, and the app is closed', async () => {
    log.length = 0;
    @HostedService({ name: 'outbox', after: ['ghost'], restart: { factor: 0 } })
    class Twice implements Hosted {
      start() {}
    }
    @Module({ imports: [App], providers: [Twice] })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow(
      [
        'hostx: the host cannot be built: 3 mistakes:',
        'service outbox: another service has this name; choose another one',
        'service outbox: restart.factor: must be a number of at least 1, not 0',
        'service outbox: after: there is no service ghost',
      ].join('\n  '),
    );
    expect(log).toContain('destroy');
  });
});
