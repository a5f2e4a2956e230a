import { afterEach, describe, expect, it } from '@jest/globals';
import { Code, Mistakes, StatusError } from '@apix/contracts';
import { HostxModule } from '@apix/hostx';
import { Catch, Controller, type INestMicroservice, Module, UseFilters } from '@nestjs/common';
import { type ApplicationConfig, NestFactory } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import {
  type ClientProxy,
  ClientProxyFactory,
  EventPattern,
  MessagePattern,
  RpcException,
  Transport,
} from '@nestjs/microservices';
import { lastValueFrom, NEVER, type Observable, of } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { until } from '../../../../tools/testing/until.js';
import { fromContext } from '../context/logger-context.js';
import { createLogger } from '../logger/create-logger.js';
import { LeftOutRequests } from '../request/left-out-requests.js';
import { type MessageLogOptions, readMessageOptions } from '../request/message-options.js';
import { RequestSampler } from '../request/request-sampler.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';
import { followMessages } from './message-hook.js';
import { patternOf } from './message-pattern.js';
import { RequestLog } from './request-log.decorator.js';

const MESSAGE = 'message {Pattern} -> {Code}';

@Catch()
class Answering {
  catch() {
    return of('answered');
  }
}

@Controller()
class Orders {
  @MessagePattern('find') find(): string {
    fromContext().information('looking');
    return 'found';
  }

  @MessagePattern('several') several() {
    return of(1, 2, 3);
  }

  @EventPattern('placed') placed(_data: unknown): void {}

  @MessagePattern('missing') missing(): never {
    throw new StatusError(Code.NOT_FOUND, 'no order o-0');
  }

  @MessagePattern('refused') refused(): never {
    throw new RpcException('not now');
  }

  @MessagePattern('broken') broken(): never {
    throw new RangeError('no such page');
  }

  @MessagePattern('answered') @UseFilters(Answering) answered(): never {
    throw new RangeError('no such line');
  }

  @MessagePattern('endless') endless() {
    return NEVER;
  }

  @RequestLog('debug') @MessagePattern('quiet') quiet(): string {
    return 'done';
  }

  @RequestLog('off') @MessagePattern('silent') silent(): never {
    throw new RangeError('no such word');
  }
}

let app: INestMicroservice | undefined;
let client: ClientProxy;
let logged: CollectingSink;
afterEach(async () => {
  if (app === undefined) return;
  await client.close();
  await app.close();
  app = undefined;
});

async function start(messages?: MessageLogOptions | false, withHost = false): Promise<void> {
  logged = collectingSink();
  const host = withHost ? [HostxModule.forRoot({ logger: null, http: false })] : [];
  @Module({
    imports: [LogxModule.forRoot({ sinks: [logged], messages }), ...host],
    controllers: [Orders],
  })
  class App {}
  const transport = Transport.TCP;
  const options = { host: '127.0.0.1', port: await freePort() };
  app = await NestFactory.createMicroservice(App, { transport, options, logger: false });
  await app.listen();
  client = ClientProxyFactory.create({ transport, options });
}

const send = (pattern: string): Promise<unknown> =>
  lastValueFrom(client.send<unknown>(pattern, {})).catch((error: unknown) => error);

describe.each([
  ['without a host', false],
  ['with HostxModule', true],
])('a message %s', (_, withHost) => {
  it.each([
    ['find', { level: 'info', code: 'OK', message: 'message find -> OK' }],
    ['several', { level: 'info', code: 'OK' }],
    ['missing', { level: 'warn', code: 'NOT_FOUND' }],
    ['refused', { level: 'warn', code: 'UNKNOWN' }],
    ['broken', { level: 'error', code: 'INTERNAL', error: 'no such page' }],
    ['answered', { level: 'error', code: 'INTERNAL', error: 'no such line' }],
  ])('to %s is exactly one event', async (pattern, expected) => {
    await start({}, withHost);
    await send(pattern);
    await until(() => logged.withTemplate(MESSAGE).count > 0);
    const events = [...logged].filter(({ message }) => message !== 'looking');
    expect(events).toEqual([
      expect.objectContaining({
        ...expected,
        Pattern: pattern,
        handler: `Orders.${pattern}`,
        duration_ms: expect.any(Number),
        RequestId: expect.stringMatching(/^[\da-f]{32}$/),
      }),
    ]);
  });
});

describe('a message', () => {
  it('has the id of what its handler logs', async () => {
    await start();
    await send('find');
    await until(() => logged.count === 2);
    const ids = [...logged].map(({ RequestId }) => RequestId);
    expect(ids[0]).toBe(ids[1]);
  });

  it('of an event pattern is one event too', async () => {
    await start();
    client.emit('placed', {});
    await until(() => logged.count > 0);
    expect(logged.only()).toMatchObject({ Pattern: 'placed', code: 'OK' });
  });

  it('whose sender does not wait for the end is cancelled', () => {
    const hooks: ((context: unknown, next: () => Observable<unknown>) => Observable<unknown>)[] =
      [];
    const config = { registerPreRequestHook: (hook: (typeof hooks)[0]) => void hooks.push(hook) };
    logged = collectingSink();
    const settings = readMessageOptions({}, '', new Mistakes());
    const sampler = new RequestSampler('message', settings.sample, new LeftOutRequests());
    const root = createLogger({ sinks: [logged] });
    followMessages(config as unknown as ApplicationConfig, root, { settings, sampler });
    const endless = { getPattern: () => 'endless' };
    const context = new ExecutionContextHost([{}, endless], Orders, () => NEVER);
    context.setType('rpc');
    hooks[0]!(context, () => NEVER)
      .subscribe()
      .unsubscribe();
    expect(logged.only()).toMatchObject({ Pattern: 'endless', code: 'CANCELLED', level: 'warn' });
  });

  it('has the level of its outcome, by option or decorator', async () => {
    await start({ levels: { NOT_FOUND: 'off', OK: 'warning' } });
    await send('missing');
    await send('find');
    await send('quiet');
    await until(() => logged.count > 1);
    expect(logged.withTemplate(MESSAGE).only()).toMatchObject({ Pattern: 'find', level: 'warn' });
  });

  it('is sampled, and stands for those left out', async () => {
    await start({ sample: 3 });
    for (let i = 0; i < 4; i++) await send('several');
    await until(() => logged.count === 2);
    expect([...logged].map(({ stands_for }) => stands_for)).toEqual([1, 3]);
  });

  it.each([
    ['by option', false, 'broken', 'no such page'],
    ['by decorator', {}, 'silent', 'no such word'],
  ] as const)(
    'without an event %s has one if it fails unexpectedly',
    async (_, messages, to, error) => {
      await start(messages);
      await send(to);
      await until(() => logged.count > 0);
      expect(logged.only()).toMatchObject({ message: `panic recovered: ${error}`, error });
    },
  );
});

describe('patternOf', () => {
  it.each([
    ['NATS', { getSubject: () => 'orders.placed' }, 'orders.placed'],
    ['Kafka and MQTT', { getTopic: () => 'orders' }, 'orders'],
    ['Redis', { getChannel: () => 'orders' }, 'orders'],
    ['RabbitMQ and TCP', { getPattern: () => 'order' }, 'order'],
    ['another transport', {}, ''],
    ['a context that throws', { getPattern: () => JSON.parse('{') as string }, ''],
    ['no context', undefined, ''],
  ])('reads the context of %s', (_, context, expected) => {
    expect(patternOf(context)).toBe(expected);
  });
});
