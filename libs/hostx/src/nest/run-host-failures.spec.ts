import { Server } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { Injectable, Module } from '@nestjs/common';
import type { Hosted } from '../service.js';
import { startHost } from '../testing/start-host.js';
import { App, log } from './app.fixture.js';
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
