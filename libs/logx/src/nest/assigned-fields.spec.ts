import type { CallContext } from '@apix/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type ClientProxy,
  ClientProxyFactory,
  GrpcMethod,
  MessagePattern,
  Transport,
} from '@nestjs/microservices';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { lastValueFrom } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { addContextField, fromContext } from '../context/logger-context.js';
import type { ContextSubject } from '../context/work.js';
import type { Logger } from '../logger/logger.js';
import { assign } from '../request/assign.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { CALL, GrpcRunning, HOSTINGS } from './grpc-running.fixture.js';
import { InjectLogger } from './inject-logger.decorator.js';
import { LogxModule } from './logx.module.js';
import type { Text } from './probe-calls.fixture.js';
import { PLATFORMS, REQUEST, type Running, start } from './running.fixture.js';

@Controller()
class TenantController {
  constructor(@InjectLogger('tenants') private readonly log: Logger) {}

  @Get('tenant')
  @MessagePattern('tenant')
  async tenant(): Promise<string> {
    this.#log('before');
    await this.#deep();
    this.#log('after');
    return 'ok';
  }

  @GrpcMethod('apix.testdata.Probe', 'Unary')
  async unary(text: Text): Promise<Text> {
    await this.tenant();
    return text;
  }

  /** Somewhere below, which knows nothing of the request. */
  async #deep(): Promise<void> {
    await nextTurn();
    assign({ Tenant: 'acme' });
  }

  #log(when: string): void {
    this.log.information('{When}', when);
    fromContext().information('{When}', when);
  }
}

/** Takes what each kind of work is asked by. */
function subjectFields({ request, call, message }: ContextSubject) {
  return [
    { name: 'Url', value: request?.url },
    { name: 'Caller', value: callerOf(call) },
    { name: 'Said', value: message?.data },
  ].filter(({ value }) => value !== undefined);
}

function callerOf(call: CallContext | undefined): string | undefined {
  return call?.metadata.get('x-caller')[0];
}

let remove = (): void => {};
beforeAll(() => {
  remove = addContextField(subjectFields);
});
afterAll(() => remove());

const BEFORE_AND_AFTER = [
  ['before', undefined],
  ['before', undefined],
  ['after', 'acme'],
  ['after', 'acme'],
];

describe.each(PLATFORMS)('on %s', (_name, platform) => {
  let running: Running;
  afterEach(() => running.app.close());

  it('assigned fields are in all later events of the request, and extractors get it', async () => {
    running = await start(platform, { controllers: [TenantController] });
    const { event } = await running.ask('GET', '/tenant?q=1');
    expect(event).toMatchObject({ Tenant: 'acme', Url: '/tenant?q=1', status: 200 });
    const said = [...running.logged.withTemplate('{When}')];
    expect(said.map(({ When, Tenant }) => [When, Tenant])).toEqual(BEFORE_AND_AFTER);
    expect(said[0]).toMatchObject({ Url: '/tenant?q=1', logger: 'tenants' });
    const other = await running.ask('GET', '/orders');
    expect(other.event).not.toHaveProperty('Tenant');
    expect(running.logged.withTemplate(REQUEST).count).toBe(1);
  });
});

describe.each(HOSTINGS)('on %s', (_name, hosting) => {
  let running: GrpcRunning;
  afterEach(() => running.close());

  it('assigned fields are in all later events of the call, and extractors get it', async () => {
    running = await GrpcRunning.start(hosting, TenantController);
    const { event } = await running.ask('Unary', ['x'], { metadata: { 'x-caller': 'ada' } });
    expect(event).toMatchObject({ '@mt': CALL, Tenant: 'acme', Caller: 'ada', code: 'OK' });
    const said = [...running.logged.withTemplate('{When}')];
    expect(said.map(({ When, Tenant }) => [When, Tenant])).toEqual(BEFORE_AND_AFTER);
    expect(said[0]).toMatchObject({ Caller: 'ada', logger: 'tenants' });
  });
});

describe('messages', () => {
  it('have assigned fields in all later events, and extractors get what they carry', async () => {
    const logged = collectingSink();
    @Module({
      imports: [LogxModule.forRoot({ sinks: [logged] })],
      controllers: [TenantController],
    })
    class App {}
    const transport = Transport.TCP;
    const options = { host: '127.0.0.1', port: await freePort() };
    const app = await NestFactory.createMicroservice(App, { transport, options, logger: false });
    await app.listen();
    const client: ClientProxy = ClientProxyFactory.create({ transport, options });
    await lastValueFrom(client.send('tenant', 'hello'));
    await client.close();
    await app.close();
    const [event, ...others] = [...logged].toReversed();
    const said = others.toReversed().map(({ When, Tenant }) => [When, Tenant]);
    expect(said).toEqual(BEFORE_AND_AFTER);
    expect(event).toMatchObject({ Pattern: 'tenant', Tenant: BEFORE_AND_AFTER.at(-1)![1] });
    expect(logged.first()).toMatchObject({ Said: 'hello', logger: 'tenants' });
  });
});
