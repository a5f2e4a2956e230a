import { type CallContext, Code, StatusError } from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  type INestApplication,
  Inject,
  Module,
  Scope,
  type Type,
  UseFilters,
  type WebSocketAdapter,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { SubscribeMessage, WebSocketGateway, WsException } from '@nestjs/websockets';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { until } from '../../../../tools/testing/until.js';
import type { Subject } from '../subject/subject.js';
import { makeAuthority } from '../certificates.fixture.js';
import { certificateSubject } from '../subject/certificate-subject.js';
import { AuthzModule } from './authz.module.js';
import { CurrentSubject, Requires } from './authz.decorators.js';
import {
  SOCKET_PLATFORMS,
  type SocketClient,
  type SocketPlatform,
  socketIo,
  TellingWsAdapter,
} from './sockets.fixture.js';
import { wsExceptionOf } from './refusal.js';

const ADMIN = { roles: { anyOf: ['admin'] } };

@WebSocketGateway()
class ChatGateway {
  @SubscribeMessage('own')
  @Requires(ADMIN)
  own(@CurrentSubject() who: Subject) {
    return { event: 'said', data: who.id };
  }
}

@WebSocketGateway({ namespace: 'staff' })
class StaffGateway extends ChatGateway {
  @SubscribeMessage('own')
  @Requires(ADMIN)
  override own(@CurrentSubject() who: Subject) {
    return super.own(who);
  }
}

@WebSocketGateway()
class ScopedGateway {
  constructor(@Inject(REQUEST) readonly client: unknown) {}

  @SubscribeMessage('own')
  @Requires(ADMIN)
  own(@CurrentSubject() who: Subject) {
    return { event: 'said', data: who.id };
  }
}
Reflect.defineMetadata('scope:options', { scope: Scope.REQUEST }, ScopedGateway);

/** An app's own, which knows what Nest throws. */
@Catch(WsException)
class OwnFilter implements ExceptionFilter<WsException> {
  catch(exception: WsException, host: ArgumentsHost): void {
    const client = host.switchToWs().getClient<{ send(text: string): void }>();
    const { code } = exception.getError() as { readonly code: string };
    client.send(JSON.stringify({ event: 'own', data: code }));
  }
}

@WebSocketGateway()
@UseFilters(OwnFilter)
class FilteredGateway {
  @SubscribeMessage('own')
  @Requires(ADMIN)
  own() {}
}

const calls: CallContext[] = [];
let app: INestApplication;
let clients: SocketClient[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  calls.length = 0;
  await app.close();
});

interface Made {
  readonly gateway?: Type;
  readonly platform?: 'fastify';
  readonly adapter?: (app: INestApplication) => WebSocketAdapter;
}

async function serve(platform: SocketPlatform, made: Made = {}) {
  const { gateway = ChatGateway, adapter = platform.adapter } = made;
  @Module({
    imports: [
      AuthzModule.forRoot({
        subject: (call) => {
          calls.push(call);
          const [who] = [...call.metadata.get('authorization'), ...call.metadata.get('x-roles')];
          return who === undefined ? null : { id: who, roles: ['admin'], permissions: [] };
        },
      }),
    ],
    providers: [gateway],
  })
  class App {}
  const options = { logger: false, abortOnError: false } as const;
  app =
    made.platform === 'fastify'
      ? await NestFactory.create(App, new FastifyAdapter(), options)
      : await NestFactory.create(App, options);
  app.useWebSocketAdapter(adapter(app));
  await app.listen(0, '127.0.0.1');
  return async (headers: Readonly<Record<string, string>> = {}) => {
    const client = await platform.connect(app, headers);
    clients.push(client);
    return client;
  };
}

const ANONYMOUS = { event: 'exception', data: { code: 'UNAUTHENTICATED' } };

describe.each(Object.entries(SOCKET_PLATFORMS))('the subject function on %s', (_, platform) => {
  it.each<['express' | 'fastify']>([['express'], ['fastify']])(
    'gets headers, address and signal of the handshake, on %s',
    async (on) => {
      const connect = await serve(platform, on === 'fastify' ? { platform: on } : {});
      const client = await connect({ authorization: 'Bearer a', cookie: 'b=c' });
      expect(await client.ask('own')).toEqual({ event: 'said', data: 'Bearer a' });
      await client.ask('own');
      const [call, again] = calls;
      expect(call!.metadata.get('cookie')).toEqual(['b=c']);
      expect(call!.metadata.keys()).toEqual(expect.arrayContaining(['authorization', 'host']));
      expect(call!.peer.address).toMatch(/^127\.0\.0\.1:\d+$/);
      expect(call!.connectionParams).toBeUndefined();
      expect(again!.signal).toBe(call!.signal);
      expect(call!.signal.aborted).toBe(false);
      client.close();
      await until(() => call!.signal.aborted);
    },
  );

  it('is told of a gateway that speaks for the caller', async () => {
    const client = await (await serve(platform))({ [FORWARDED_KEY]: '1', 'x-roles': 'a' });
    await client.ask('own');
    expect(calls[0]!.forwarded).toBe(true);
  });

  it('is asked for gateways of a request scope too', async () => {
    const client = await (await serve(platform, { gateway: ScopedGateway }))({ 'x-roles': 'a' });
    expect(await client.ask('own')).toEqual({ event: 'said', data: 'a' });
  });
});

describe('what a client of Socket.IO says when it connects', () => {
  it.each<[string, Record<string, unknown>, Record<string, string>, unknown]>([
    ['counts as authorization', { Authorization: 'Bearer a' }, {}, { data: 'Bearer a' }],
    ['yields to the header', { authorization: 'Bearer a' }, { authorization: 'b' }, { data: 'b' }],
    ['is no other header', { 'x-roles': 'admin', headers: { 'x-roles': 'admin' } }, {}, ANONYMOUS],
    ['may be anything', { authorization: [{}, 7], headers: null }, {}, ANONYMOUS],
  ])('%s', async (_, auth, headers, expected) => {
    const client = await (await serve(socketIo(auth)))(headers);
    expect(await client.ask('own')).toMatchObject(expected as object);
    expect(calls[0]!.connectionParams).toEqual(auth);
  });

  it('is the one of its namespace', async () => {
    const platform = socketIo({ authorization: 'Bearer a' }, '/staff');
    const client = await (await serve(platform, { gateway: StaffGateway }))();
    expect(await client.ask('own')).toEqual({ event: 'said', data: 'Bearer a' });
  });
});

/** Nest 11 notes something on an adapter, so that it cannot be frozen. */
function unchangeable(adapter: TellingWsAdapter): TellingWsAdapter {
  return Object.defineProperty(adapter, 'bindClientConnect', {
    value: Reflect.get(adapter, 'bindClientConnect'),
  });
}

describe('an adapter of the app', () => {
  const { ws } = SOCKET_PLATFORMS as { readonly ws: SocketPlatform };

  it('has its own way of binding clients called as before', async () => {
    const bound: unknown[] = [];
    class OwnAdapter extends TellingWsAdapter {
      readonly #own = bound;

      override bindClientConnect(server: never, callback: () => void): void {
        this.#own.push(server);
        super.bindClientConnect(server, callback);
      }
    }
    const connect = await serve(ws, { adapter: (of) => new OwnAdapter(of) });
    expect(await (await connect({ 'x-roles': 'a' })).ask('own')).toMatchObject({ data: 'a' });
    expect(bound).toHaveLength(1);
  });

  it.each<[string, (of: INestApplication) => WebSocketAdapter]>([
    ['cannot be changed', (of) => unchangeable(new TellingWsAdapter(of))],
    [
      'hands over no request',
      (of) => {
        class Silent extends TellingWsAdapter {
          override bindClientConnect(server: never, callback: (client: never) => void): void {
            super.bindClientConnect(server, (client: never) => callback(client));
          }
        }
        return new Silent(of);
      },
    ],
  ])('that %s leaves its callers anonymous', async (_, adapter) => {
    const connect = await serve(ws, { adapter });
    expect(await (await connect({ 'x-roles': 'a' })).ask('own')).toMatchObject(ANONYMOUS);
  });

  it('may be shared by two apps, one after the other', async () => {
    let shared: TellingWsAdapter | undefined;
    await serve(ws, { adapter: (of) => (shared = new TellingWsAdapter(of)) });
    await app.close();
    const connect = await serve(ws, {
      adapter: (of) => Object.assign(shared!, { httpServer: of.getHttpServer() as object }),
    });
    expect(await (await connect({ 'x-roles': 'a' })).ask('own')).toMatchObject({ data: 'a' });
  });
});

it('a refusal passes the filters of a gateway as what Nest throws', async () => {
  const connect = await serve(SOCKET_PLATFORMS['ws']!, { gateway: FilteredGateway });
  expect(await (await connect()).ask('own')).toEqual({ event: 'own', data: 'UNAUTHENTICATED' });
});

it('a refusal is left to Nest where the class of its exceptions cannot be loaded', async () => {
  await serve(SOCKET_PLATFORMS['ws']!);
  const context = new ExecutionContextHost([{}, 'hello', 'own']);
  const error = new StatusError(Code.PERMISSION_DENIED, 'permission denied');
  expect(await wsExceptionOf(error, context, () => Promise.resolve(undefined))).toBeUndefined();
});

it.each<[string, string | undefined, object]>([
  ['a certificate of its authority', 'staff', { event: 'said', data: 'ada' }],
  ['the certificate of a gateway that speaks for others', 'forwarded', ANONYMOUS],
  ['no certificate', undefined, ANONYMOUS],
])('a WebSocket over TLS has %s', async (_, who, expected) => {
  const authority = makeAuthority();
  @Module({
    imports: [AuthzModule.forRoot({ subject: certificateSubject() })],
    providers: [ChatGateway],
  })
  class App {}
  app = await NestFactory.create(App, {
    logger: false,
    abortOnError: false,
    httpsOptions: {
      ...authority.server,
      ca: authority.cert,
      requestCert: true,
      rejectUnauthorized: false,
    },
  });
  app.useWebSocketAdapter(new TellingWsAdapter(app));
  await app.listen(0, '127.0.0.1');
  const { port } = new URL(await app.getUrl());
  const socket = new WebSocket(`wss://localhost:${port}/`, {
    ...(who === undefined ? {} : authority.client('CN=ada', 'OU=admin')),
    ca: authority.cert,
    lookup: (_host, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    headers: who === 'forwarded' ? { [FORWARDED_KEY]: '1' } : {},
  });
  await once(socket, 'open');
  const said = once(socket, 'message');
  socket.send(JSON.stringify({ event: 'own' }));
  const [text] = (await said) as [Buffer];
  socket.terminate();
  expect(JSON.parse(text.toString())).toMatchObject(expected);
});
