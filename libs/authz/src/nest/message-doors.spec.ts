import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientProxyFactory,
  type CustomTransportStrategy,
  EventPattern,
  KafkaContext,
  MessagePattern,
  MqttContext,
  NatsContext,
  RmqContext,
  Server,
  Transport,
} from '@nestjs/microservices';
import type { AddressInfo, Server as NetServer } from 'node:net';
import { firstValueFrom, isObservable } from 'rxjs';
import type { Decision } from '../decide/decision.js';
import type { Subject } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { CurrentSubject, EnforceMethod, Public, Requires } from './authz.decorators.js';
import { SHOP, subjectFromHeader } from './shop.fixture.js';

const handled: string[] = [];
const decided: Decision[] = [];
const open: { close(): unknown }[] = [];
afterEach(async () => {
  handled.length = 0;
  decided.length = 0;
  for (const one of open.splice(0).toReversed()) await one.close();
});

@Controller()
class RefundsController {
  @MessagePattern('refund')
  @Requires({ roles: { anyOf: ['admin'] } })
  refund(@CurrentSubject() who: Subject) {
    return `refunded by ${who.id}`;
  }

  @MessagePattern('cancel')
  @EnforceMethod('/test.Orders/Cancel')
  cancel() {
    return 'cancelled';
  }

  @MessagePattern('ping')
  @Public()
  ping(@CurrentSubject() who: Subject | null) {
    return { who };
  }

  @MessagePattern('bare')
  bare() {
    return 'in';
  }

  @EventPattern('shipped')
  @Requires({ roles: { anyOf: ['admin'] } })
  shipped(order: number) {
    handled.push(`shipped ${order}`);
  }

  @EventPattern('seen')
  @Public()
  seen(order: number) {
    handled.push(`seen ${order}`);
  }
}

function appOf(unannotated: 'allow' | 'deny' = 'allow') {
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      AuthzModule.forRoot({
        subject: subjectFromHeader,
        unannotated,
        onDecision: (decision) => void decided.push(decision),
      }),
    ],
    controllers: [RefundsController],
  })
  class App {}
  return App;
}

const QUIET = { logger: false, abortOnError: false } as const;
const TCP = { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } } as const;

/** How each way of serving messages over TCP is set up; gives its socket server. */
const TCP_APPS = {
  microservice: async (unannotated: 'allow' | 'deny') => {
    const app = await NestFactory.createMicroservice(appOf(unannotated), { ...QUIET, ...TCP });
    open.push(app);
    await app.listen();
    return app.unwrap<NetServer>();
  },
  'hybrid app': async (unannotated: 'allow' | 'deny') => {
    const app = await NestFactory.create(appOf(unannotated), QUIET);
    open.push(app);
    const microservice = app.connectMicroservice(TCP, { inheritAppConfig: true });
    await app.startAllMicroservices();
    return microservice.unwrap<NetServer>();
  },
} as const;

function clientOf(server: NetServer): ClientProxy {
  const { port } = server.address() as AddressInfo;
  const client = ClientProxyFactory.create({ ...TCP, options: { ...TCP.options, port } });
  open.push(client);
  return client;
}

/** The answer to a message, or what it was refused with. */
async function answer(client: ClientProxy, pattern: string): Promise<unknown> {
  return firstValueFrom(client.send<unknown>(pattern, {})).catch((error: unknown) => error);
}

const REFUSED = { status: 'error', code: 'UNAUTHENTICATED', message: 'credentials are missing' };

describe.each(Object.entries(TCP_APPS))('messages to a TCP %s', (_, serve) => {
  it.each([
    ['refund', REFUSED],
    ['cancel', REFUSED],
    ['ping', { who: null }],
    ['bare', 'in'],
  ])('carry no headers, so their caller is anonymous: %s', async (pattern, expected) => {
    expect(await answer(clientOf(await serve('allow')), pattern)).toEqual(expected);
    expect(decided).toMatchObject([{ door: 'message', allowed: expected !== REFUSED }]);
  });

  it("without a policy are refused under `unannotated: 'deny'`", async () => {
    expect(await answer(clientOf(await serve('deny')), 'bare')).toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('that are events reach no handler when refused, and the service lives on', async () => {
    const client = clientOf(await serve('allow'));
    await firstValueFrom(client.emit('shipped', 7), { defaultValue: undefined });
    await firstValueFrom(client.emit('seen', 7), { defaultValue: undefined });
    expect(await answer(client, 'ping')).toEqual({ who: null });
    expect(handled).toEqual(['seen 7']);
    expect(decided.map(({ allowed }) => allowed)).toEqual([false, true, true]);
  });
});

/** A transport whose messages come with whatever context a test gives them. */
class DirectServer extends Server implements CustomTransportStrategy {
  listen(done: () => void): void {
    done();
  }

  close(): void {}

  on(): void {}

  unwrap(): never {
    throw new Error('there is nothing under it');
  }

  async deliver(pattern: string, context: unknown): Promise<unknown> {
    try {
      const result: unknown = await this.getHandlerByPattern(pattern)?.({}, context);
      return isObservable(result) ? await firstValueFrom(result) : result;
    } catch (error) {
      return error;
    }
  }
}

type HeaderList = readonly (readonly [string, string])[];

const grouped = (headers: HeaderList): Record<string, string[]> => {
  const byName: Record<string, string[]> = {};
  for (const [name, value] of headers) (byName[name] ??= []).push(value);
  return byName;
};

/** Nest's own contexts around messages as the transports' clients shape them. */
const CONTEXTS: Readonly<Record<string, (headers: HeaderList) => unknown>> = {
  'Kafka, values as bytes': (headers) => {
    const bytes = Object.entries(grouped(headers)).map(([name, values]) => {
      const all = values.map((value) => Buffer.from(value));
      return [name, all.length === 1 ? all[0] : all];
    });
    const message = { headers: Object.fromEntries(bytes) as object };
    return new KafkaContext([message, 0, 'topic'] as never);
  },
  'NATS, an iterable of names and values': (headers) =>
    new NatsContext(['subject', new Map(Object.entries(grouped(headers)))]),
  'RabbitMQ, in the properties': (headers) =>
    new RmqContext([{ properties: { headers: grouped(headers) } }, {}, 'refund']),
  'MQTT 5, user properties': (headers) =>
    new MqttContext(['topic', { properties: { userProperties: grouped(headers) } }]),
};

describe.each(Object.entries(CONTEXTS))('messages with the headers of %s,', (_, contextOf) => {
  async function serve(): Promise<DirectServer> {
    const strategy = new DirectServer();
    const app = await NestFactory.createMicroservice(appOf(), { ...QUIET, strategy });
    open.push(app);
    await app.listen();
    return strategy;
  }

  it.each<[string, HeaderList, unknown]>([
    ['are from who they say', [['x-roles', 'admin']], 'refunded by admin'],
    ['have names of any case', [['X-Roles', 'admin']], 'refunded by admin'],
    ['are refused to others', [['x-roles', 'staff']], { code: 'PERMISSION_DENIED' }],
    ['are anonymous without one', [['other', 'admin']], { code: 'UNAUTHENTICATED' }],
  ])('%s', async (__, headers, expected) => {
    const got = await (await serve()).deliver('refund', contextOf(headers));
    expect([got]).toMatchObject([expected]);
  });

  it('show every value of a header that was sent twice', async () => {
    const seen: (readonly string[])[] = [];
    @Module({
      imports: [
        AuthzModule.forRoot({
          subject: ({ metadata }) => {
            seen.push(metadata.get('authorization'));
            return null;
          },
        }),
        ProtoModule.forRoot({ descriptors: SHOP }),
      ],
      controllers: [RefundsController],
    })
    class App {}
    const strategy = new DirectServer();
    const app = await NestFactory.createMicroservice(App, { ...QUIET, strategy });
    open.push(app);
    await app.listen();
    const same: HeaderList = [
      ['authorization', 'a'],
      ['authorization', 'b'],
    ];
    const cased: HeaderList = [
      ['authorization', 'a'],
      ['Authorization', 'b'],
    ];
    for (const headers of [same, cased]) await strategy.deliver('refund', contextOf(headers));
    expect(seen).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });
});

it.each([undefined, null, 'text', {}, { getHeaders: 7 }, { getMessage: () => null }])(
  'a message whose context is %j is anonymous',
  async (context) => {
    const strategy = new DirectServer();
    const app = await NestFactory.createMicroservice(appOf(), { ...QUIET, strategy });
    open.push(app);
    await app.listen();
    expect(await strategy.deliver('refund', context)).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await strategy.deliver('ping', context)).toEqual({ who: null });
  },
);
