import { afterEach, describe, expect, it } from '@jest/globals';
import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Module,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { MessageBody, SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import type { Decision } from '../decide/decision.js';
import type { Subject } from '../subject/subject.js';
import { AuthzGuard } from './authz.guard.js';
import { AuthzModule, type AuthzModuleOptions } from './authz.module.js';
import { CurrentSubject, Public, Requires } from './authz.decorators.js';
import { subjectFromHeader } from './shop.fixture.js';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { SOCKET_PLATFORMS, type SocketClient, type SocketPlatform } from './sockets.fixture.js';

const asked: string[] = [];

/** Guards of the app's own. */
class Asked implements CanActivate {
  constructor(private readonly name: string) {}

  canActivate(context: ExecutionContext): boolean {
    asked.push(`${this.name} ${context.getHandler().name}`);
    return true;
  }
}

@Injectable()
class GlobalGuard extends Asked {
  constructor() {
    super('global');
  }
}

@WebSocketGateway()
@UseGuards(new Asked('gateway'))
class ChatGateway {
  @SubscribeMessage('bare')
  bare(@MessageBody() text: string) {
    return { event: 'said', data: text };
  }

  @SubscribeMessage('open')
  @Public()
  open(@CurrentSubject() who: Subject | null) {
    return { event: 'said', data: who };
  }

  @SubscribeMessage('own')
  @Requires({ roles: { anyOf: ['admin'] } })
  own(@MessageBody() text: unknown, @CurrentSubject() who: Subject) {
    return { event: 'said', data: [text, who.id] };
  }

  @SubscribeMessage('twice')
  @Requires({ roles: { anyOf: ['admin'] } })
  @UseGuards(AuthzGuard)
  twice(@CurrentSubject() who: Subject) {
    return { event: 'said', data: who.id };
  }
}

const decided: Decision[] = [];
let app: INestApplication;
let clients: SocketClient[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  decided.length = 0;
  asked.length = 0;
  await app.close();
});

async function serve(platform: SocketPlatform, options: Partial<AuthzModuleOptions> = {}) {
  @Module({
    imports: [
      AuthzModule.forRoot({
        subject: subjectFromHeader,
        onDecision: (decision) => void decided.push(decision),
        ...options,
      }),
    ],
    providers: [ChatGateway, { provide: APP_GUARD, useClass: GlobalGuard }],
  })
  class App {}
  app = await NestFactory.create(App, { logger: false, abortOnError: false });
  app.useWebSocketAdapter(platform.adapter(app));
  await app.listen(0, '127.0.0.1');
  return async (roles?: string) => {
    const client = await platform.connect(app, roles === undefined ? {} : { 'x-roles': roles });
    clients.push(client);
    return client;
  };
}

const refusal = (code: string, message: string, pattern: string, data: unknown) => ({
  event: 'exception',
  data: { status: 'error', code, message, cause: { pattern, data } },
});

describe.each(Object.entries(SOCKET_PLATFORMS))('a gateway on %s', (_, platform) => {
  it('without policies stays as it was, and the guards of the app are asked', async () => {
    const client = await (await serve(platform))();
    expect(await client.ask('bare', 'hello')).toEqual({ event: 'said', data: 'hello' });
    expect(asked).toEqual(withNest({ 11: ['gateway bare'], 12: ['global bare', 'gateway bare'] }));
    expect(decided).toMatchObject([
      { allowed: true, reason: 'unannotated', door: 'websocket', method: 'ChatGateway.bare' },
    ]);
  });

  it("is closed under unannotated: 'deny' until a decorator opens it", async () => {
    const client = await (await serve(platform, { unannotated: 'deny' }))('admin');
    expect(await client.ask('bare', 1)).toEqual(
      refusal('PERMISSION_DENIED', 'no one may call this method', 'bare', 1),
    );
    expect(await client.ask('open', 1)).toEqual({ event: 'said', data: null });
    expect(await client.ask('own', 1)).toEqual({ event: 'said', data: [1, 'admin'] });
  });

  it.each([
    ['admin', { event: 'said', data: ['hello', 'admin'] }],
    ['staff', refusal('PERMISSION_DENIED', 'permission denied', 'own', 'hello')],
    [undefined, refusal('UNAUTHENTICATED', 'credentials are missing', 'own', 'hello')],
    ['broken', refusal('UNAUTHENTICATED', 'the credentials were not accepted', 'own', 'hello')],
  ])('asks who opened the connection: %s', async (roles, expected) => {
    const client = await (await serve(platform))(roles);
    expect(await client.ask('own', 'hello')).toEqual(expected);
    expect(await client.ask('own', 'hello')).toEqual(expected);
  });

  it('decides about every message, once, whichever guards are bound', async () => {
    let role = 'admin';
    const connect = await serve(platform, { subject: () => ({ roles: [role], permissions: [] }) });
    const client = await connect();
    expect(await client.ask('twice', 1)).toMatchObject({ event: 'said' });
    role = 'staff';
    expect(await client.ask('twice', 1)).toMatchObject({ event: 'exception' });
    expect(decided.map(({ allowed }) => allowed)).toEqual([true, false]);
  });

  it('gives each handler its own caller, of messages under way at once', async () => {
    const connect = await serve(platform, {
      subject: async (call) => {
        await new Promise((resolve) => setImmediate(resolve));
        return subjectFromHeader(call);
      },
    });
    const both = await Promise.all([connect('admin,a'), connect('admin,b')]);
    const told = await Promise.all(
      [0, 1, 0, 1].map(async (index, text) => (await both[index]!.ask('own', text)).data),
    );
    expect(told).toEqual([
      [0, 'admin,a'],
      [1, 'admin,b'],
      [2, 'admin,a'],
      [3, 'admin,b'],
    ]);
  });
});
