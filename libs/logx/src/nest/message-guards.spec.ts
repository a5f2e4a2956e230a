import { HostxModule } from '@apix/hostx';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type CanActivate, Controller, Module, type Type, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ClientProxyFactory, MessagePattern, Transport } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { fromContext } from '../context/logger-context.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { LogxModule } from './logx.module.js';

const TALKATIVE: CanActivate = {
  canActivate() {
    fromContext().information('a guard asks');
    return true;
  },
};

@Controller()
class Orders {
  @MessagePattern('order')
  @UseGuards(TALKATIVE)
  order(): string {
    fromContext().information('a handler answers');
    return 'ordered';
  }
}

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** The ids of what a guard and the handler of one message log. */
async function idsOfOneMessage(...imports: readonly ReturnType<typeof HostxModule.forRoot>[]) {
  const logged = collectingSink();
  @Module({
    imports: [LogxModule.forRoot({ sinks: [logged] }), ...imports],
    controllers: [Orders],
  })
  class App {}
  const options = {
    transport: Transport.TCP,
    options: { host: '127.0.0.1', port: await freePort() },
  } as const;
  const app = await NestFactory.createMicroservice(App as Type, { ...options, logger: false });
  closers.push(() => app.close());
  await app.listen();
  const client = ClientProxyFactory.create(options);
  closers.push(() => client.close());
  expect(await lastValueFrom(client.send('order', {}))).toBe('ordered');
  return ['a guard asks', 'a handler answers'].map(
    (text) => logged.withTemplate(text).only()['RequestId'] as string | undefined,
  );
}

describe('a message has an id', () => {
  it('from its guards on with Nest 12, and from its handler on with Nest 11', async () => {
    const [guard, handler] = await idsOfOneMessage();
    expect(handler).toEqual(expect.any(String));
    expect(guard).toBe(withNest({ 11: undefined, 12: handler }));
  });

  it('from its guards on with HostxModule', async () => {
    const host = HostxModule.forRoot({ logger: null, drain: { delay: 0 } });
    const [guard, handler] = await idsOfOneMessage(host);
    expect([guard, handler]).toEqual([expect.any(String), expect.any(String)]);
  });
});
