import { every } from '@apix/cron/core';
import { type Hosted, HostedService, StartupTask } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientProxyFactory,
  EventPattern,
  MessagePattern,
  Payload,
  Transport,
} from '@nestjs/microservices';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { fromContext } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { workScope } from '../request/logger-scope.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import type { LoggedEvent } from '../testing/logged-events.js';
import { CALL, GrpcRunning, HOSTINGS, KINDS } from './grpc-running.fixture.js';
import { freePort } from '../../../../tools/testing/free-port.js';
import { LogxModule } from './logx.module.js';
import { ProbeCallsController } from './probe-calls.fixture.js';

describe.each(HOSTINGS)('on %s', (_name, hosting) => {
  let running: GrpcRunning;

  beforeAll(async () => {
    running = await GrpcRunning.start(hosting, ProbeCallsController);
  });
  afterAll(() => running.close());

  it('what a call logs has its id, with 10,000 interleaved of all kinds', async () => {
    running.logged.clear();
    const ask = async (id: string, kind: string): Promise<void> => {
      const metadata = { 'x-request-id': id };
      const { stream, ended } = running.open(kind, { metadata });
      stream.resume();
      // The second message comes while other calls are under way.
      stream.write({ stringValue: id });
      await nextTurn();
      if (kind === 'ClientStream' || kind === 'BidiStream') stream.write({ stringValue: id });
      stream.end();
      await ended;
    };
    for (let batch = 0; batch < 20; batch++) {
      await Promise.all(
        Array.from({ length: 500 }, (_, i) => ask(`${batch}-${i}`, KINDS[i % KINDS.length]!)),
      );
    }
    await loggedUntil(running.logged, CALL, 10_000);
    const said = [...running.logged.withTemplate('said {Text}')];
    expect(said).toHaveLength(15_000);
    expect(said.filter(({ Text, RequestId }) => Text !== RequestId)).toEqual([]);
  }, 120_000);
});

@Controller()
class MessagesController {
  @MessagePattern('ask')
  async ask(@Payload() id: number): Promise<number> {
    fromContext().information('asked {Id}', id);
    await nextTurn();
    fromContext().information('answers {Id}', id);
    return id;
  }

  @EventPattern('tell')
  async tell(@Payload() id: number): Promise<void> {
    fromContext().information('told {Id}', id);
    await nextTurn();
    fromContext().information('knows {Id}', id);
  }
}

describe('messages', () => {
  const logged = collectingSink();
  let client: ClientProxy;
  let close: () => Promise<void>;

  beforeAll(async () => {
    @Module({
      imports: [LogxModule.forRoot({ sinks: [logged] })],
      controllers: [MessagesController],
    })
    class App {}
    const transport = Transport.TCP;
    const options = { host: '127.0.0.1', port: await freePort() };
    const app = await NestFactory.createMicroservice(App, { transport, options, logger: false });
    await app.listen();
    client = ClientProxyFactory.create({ transport, options });
    close = async () => {
      await client.close();
      await app.close();
    };
  });
  afterAll(() => close());

  it('have a context each, with 10,000 interleaved', async () => {
    await Promise.all(
      Array.from({ length: 5_000 }, async (_, id) => {
        client.emit('tell', id);
        await lastValueFrom(client.send('ask', id));
      }),
    );
    await loggedUntil(logged, 'knows {Id}', 5_000);
    await loggedUntil(logged, 'message {Pattern} -> {Code}', 10_000);
    expect(logged.count).toBe(30_000);
    // Every id is in both events of one message, and in no other.
    expect(pairs(logged, 'asked {Id}', 'answers {Id}')).toBe(5_000);
    expect(pairs(logged, 'told {Id}', 'knows {Id}')).toBe(5_000);
    expect(new Set([...logged].map(({ RequestId }) => RequestId)).size).toBe(10_000);
    expect(logged.withTemplate('asked {Id}').first()).toMatchObject({
      handler: 'MessagesController.ask',
    });
  }, 120_000);
});

@Injectable()
@HostedService({ name: 'outbox' })
class Outbox implements Hosted {
  async start(signal: AbortSignal): Promise<void> {
    fromContext().information('outbox starts');
    await nextTurn();
    fromContext().information('outbox runs');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    fromContext().information('outbox ends');
  }

  @StartupTask('migrations')
  async migrate(): Promise<void> {
    await nextTurn();
    fromContext().information('migrated');
  }
}

@Injectable()
@HostedService({ name: 'inbox' })
class Inbox implements Hosted {
  async start(signal: AbortSignal): Promise<void> {
    await nextTurn();
    fromContext().information('inbox runs');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  }
}

describe('work of a host', () => {
  it('has its context: services and startup tasks', async () => {
    const logged = collectingSink();
    @Module({
      imports: [LogxModule.forRoot({ sinks: [logged] })],
      providers: [Outbox, Inbox],
    })
    class App {}
    const { stop } = await startHost(App, { http: false });
    await loggedUntil(logged, 'inbox runs');
    await stop();
    expect([...logged].map(workOf).toSorted()).toEqual([
      'service inbox: inbox runs',
      'service outbox: outbox ends',
      'service outbox: outbox runs',
      'service outbox: outbox starts',
      'task migrations: migrated, with an id',
    ]);
  });

  it('has its context in an app without doors', async () => {
    const logged = collectingSink();
    @Module({ imports: [LogxModule.forRoot({ sinks: [logged] })] })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    fromContext().information('hello');
    await app.close();
    expect(logged.messages).toEqual(['hello']);
  });

  it('has its context: runs of cron jobs, each its own', async () => {
    const logged = collectingSink();
    const workScopes = [workScope(createLogger({ sinks: [logged] }))];
    const jobs = ['sweep', 'mail'].map((name) =>
      every(
        name,
        '1ms',
        async () => {
          fromContext().information('begins {Job}', name);
          await nextTurn();
          fromContext().information('ends {Job}', name);
        },
        { workScopes },
      ),
    );
    const stopping = new AbortController();
    const runs = jobs.map((job) => job.start(stopping.signal));
    for (const name of ['sweep', 'mail']) {
      while (logged.saying(`ends ${name}`).count < 3) await nextTurn();
    }
    stopping.abort();
    await Promise.all(runs);
    for (const { Job, work } of logged) expect(work).toBe(`cron ${String(Job)}`);
    const begun = logged.withTemplate('begins {Job}').count;
    expect(pairs(logged, 'begins {Job}', 'ends {Job}')).toBe(begun);
  });
});

function workOf({ message, work, RequestId }: LoggedEvent): string {
  return `${String(work)}: ${message}${RequestId === undefined ? '' : ', with an id'}`;
}

/** How many ids of requests two templates have in common. */
function pairs(logged: CollectingSink, one: string, other: string): number {
  const ids = new Set([...logged.withTemplate(one)].map(keyOf));
  return [...logged.withTemplate(other)].filter((event) => ids.has(keyOf(event))).length;
}

function keyOf({ RequestId, Id, Job }: LoggedEvent): string {
  return JSON.stringify([RequestId, Id, Job]);
}
