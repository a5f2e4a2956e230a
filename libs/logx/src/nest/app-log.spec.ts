import 'reflect-metadata';
import { HostRef, type Hosted, HostedService, HostxModule, runHost } from '@apix/hostx';
import { describe, expect, it } from '@jest/globals';
import { Inject, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { LogxModule } from './logx.module.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';

function sendOrders(): never {
  throw new Error('cannot send', { cause: new Error('no such table') });
}

/** An app whose outbox fails once; what is given to the host is all it is told of a logger. */
function appOf(logged: CollectingSink, options: { logger?: null } = {}): Type {
  @HostedService({ name: 'outbox', restart: { initialDelay: '1ms' } })
  class Outbox implements Hosted {
    #runs = 0;
    constructor(@Inject(HostRef) private readonly host: HostRef) {}

    start(): void | Promise<void> {
      if (this.#runs++ === 0) sendOrders();
      this.host.shutdown('seen');
      return Promise.resolve();
    }
  }
  @Module({
    imports: [
      LogxModule.forRoot({ sinks: [logged], http: false }),
      HostxModule.forRoot({ http: false, drain: { delay: 0 }, linger: false, ...options }),
    ],
    providers: [Outbox],
  })
  class App {}
  return App;
}

async function underRunHost(app: Type): Promise<void> {
  await runHost(app, { nest: { logger: false }, run: (host) => host.runContext() });
}

async function underPlainMain(app: Type): Promise<void> {
  const running = await NestFactory.create(app, { logger: false });
  const host = running.get(HostRef);
  await running.listen(0, '127.0.0.1');
  while (host.state.phase !== 'stopped') await new Promise((resolve) => setImmediate(resolve));
  await running.close();
}

describe.each([
  ['runHost', underRunHost],
  ['a plain main', underPlainMain],
])('LogxModule, under %s', (_, run) => {
  it('gives the host its logger, with templates, fields, stacks and causes', async () => {
    const logged = collectingSink();
    await run(appOf(logged));
    const [restart] = logged.with({ logger: 'Host', Attempt: 1 });
    expect(restart).toMatchObject({
      level: 'error',
      '@mt': 'Service {Service} ended early and restarts in {DelayMs} ms, attempt {Attempt}',
      Service: 'outbox',
      DelayMs: 1,
      error: 'hostx: service outbox: cannot send: no such table',
      stack: expect.stringMatching(/sendOrders .*app-log\.spec[^]*Caused by: Error: no such table/),
    });
    expect(logged.with({ logger: 'Host', Phase: 'stopped' }).count).toBe(1);
  });

  it('leaves a host alone that was told to be silent', async () => {
    const logged = collectingSink();
    await run(appOf(logged, { logger: null }));
    expect(logged.with({ logger: 'Host' }).messages).toEqual([]);
  });
});
