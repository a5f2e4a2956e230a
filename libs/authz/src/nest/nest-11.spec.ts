import { afterEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, type INestApplication, Module, UseGuards } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { until } from '../../../../tools/testing/until.js';
import type { Decision } from '../decide/decision.js';
import { AuthzModule } from './authz.module.js';
import { Public, Requires } from './authz.decorators.js';
import { SOCKET_PLATFORMS } from './sockets.fixture.js';

const OWN_GUARD: CanActivate = { canActivate: () => true };

@WebSocketGateway()
@UseGuards(OWN_GUARD)
class ChatGateway {
  @SubscribeMessage('open')
  @Public()
  open() {
    return { event: 'said', data: 'in' };
  }

  @SubscribeMessage('closed')
  @Requires({ roles: { anyOf: ['admin'] } })
  closed() {
    return { event: 'said', data: 'never' };
  }
}

const closing: INestApplication[] = [];
const decided: Decision[] = [];
afterEach(async () => {
  for (const app of closing.splice(0)) await app.close();
  decided.length = 0;
});

/** An app whose gateway has Nest's own adapter for `ws`; with policies, or a guest's without. */
async function serve(isGuarded: boolean): Promise<INestApplication> {
  const authz = AuthzModule.forRoot({
    subject: () => null,
    onDecision: (decision) => void decided.push(decision),
  });
  @Module({ imports: isGuarded ? [authz] : [], providers: [ChatGateway] })
  class App {}
  const app = await NestFactory.create(App, { logger: false, abortOnError: false });
  closing.push(app);
  app.useWebSocketAdapter(new WsAdapter(app));
  await app.listen(0, '127.0.0.1');
  return app;
}

const connect = (app: INestApplication) => SOCKET_PLATFORMS['ws']!.connect(app, {});

describe('a gateway on the ws adapter of Nest', () => {
  it('answers a denied message with Nest 12, does not answer it with Nest 11, and works on with both', async () => {
    const client = await connect(await serve(true));
    const first = client.ask('closed');
    await until(() => decided.length === 1);
    const second = client.ask('open');
    // Where the first message has no answer, what comes first is that to the second.
    const answers = await Promise.all(withNest({ 11: [first], 12: [first, second] }));
    expect(answers.map(({ event }) => event).toSorted()).toEqual(
      withNest({ 11: ['said'], 12: ['exception', 'said'] }),
    );
    client.close();
    expect(decided.map(({ allowed, method }) => [allowed, method])).toEqual([
      [false, 'ChatGateway.closed'],
      [true, 'ChatGateway.open'],
    ]);
  });

  it('has the guards that its class was given, once its app has started', async () => {
    await serve(true);
    expect(Reflect.getMetadata(GUARDS_METADATA, ChatGateway)).toEqual([OWN_GUARD]);
  });

  it('is as open as it was in another app of the process', async () => {
    await serve(true);
    const client = await connect(await serve(false));
    expect(await client.ask('closed')).toEqual({ event: 'said', data: 'never' });
    client.close();
    expect(decided).toEqual([]);
  });
});
