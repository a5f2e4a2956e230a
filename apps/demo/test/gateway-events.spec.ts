import 'reflect-metadata';
import { once } from 'node:events';
import { get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuthzModule } from '@apix/authz';
import { GatewayModule } from '@apix/gateway';
import { connectGrpc, GrpcModule } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { addContextField, assign, fromContext, LogxModule, RequestLog } from '@apix/logx';
import { type CollectingSink, collectingSink } from '@apix/logx/testing';
import { ProtoModule } from '@apix/proto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod } from '@nestjs/microservices';
import { concat, NEVER, type Observable, of } from 'rxjs';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

@Controller()
class ShopController {
  @GrpcMethod('shop.v1.Catalog', 'Get')
  @RequestLog('debug')
  get({ name }: { readonly name: string }): object {
    assign({ Product: name });
    fromContext().information('found');
    return { name };
  }

  @GrpcMethod('shop.v1.Catalog', 'List')
  @RequestLog('off')
  list(): object {
    return { products: [] };
  }

  @GrpcMethod('shop.v1.Orders', 'Watch')
  watch(): Observable<object> {
    return concat(of({ order: { name: 'orders/1' } }), NEVER);
  }
}

const METHOD = '/shop.v1.Catalog/Get';

describe('the event of a route of a gateway in the same process', () => {
  let logged: CollectingSink;
  let app: INestApplication;
  let undo: () => void;

  async function start(slow: string): Promise<void> {
    logged = collectingSink();
    undo = addContextField(({ request, call }) => [
      { name: 'Url', value: request?.url },
      { name: 'Called', value: call?.method.fullName },
    ]);
    @Module({
      imports: [
        LogxModule.forRoot({ sinks: [logged], level: 'debug', http: { slow } }),
        ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
        AuthzModule.forRoot({
          subject: () => ({ id: 'ada', roles: ['admin'], permissions: ['orders:read'] }),
        }),
        HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
        GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
        GatewayModule.forRoot({ protocols: ['rest', 'connect', 'grpc-web'] }),
      ],
      controllers: [ShopController],
    })
    class App {}
    app = await NestFactory.create(App, { logger: false, abortOnError: false });
    connectGrpc(app);
    await app.listen(0, '127.0.0.1');
  }
  afterEach(async () => {
    undo();
    await app.close();
  });

  async function asked(path: string): Promise<IncomingMessage> {
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const sent = get({ host: '127.0.0.1', port, path, agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  async function posted(path: string, contentType: string, body: Uint8Array): Promise<void> {
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const headers = { 'content-type': contentType };
    await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body });
  }

  async function eventOf(path: string) {
    const events = () => [...logged].filter(({ Path }) => Path === path);
    while (events().length === 0) await new Promise((resolve) => setImmediate(resolve));
    return events();
  }

  it.each([
    ['connect', 'application/json', Buffer.from('{"name":"products/pot"}')],
    ['grpc-web', 'application/grpc-web', Buffer.from([0, 0, 0, 0, 3, 10, 1, 120])],
  ])('is one, with the protocol %s', async (protocol, contentType, body) => {
    await start('1h');
    await posted(METHOD, contentType, body);
    const [event, ...more] = await eventOf(METHOD);
    expect(event).toMatchObject({ protocol, method: METHOD, code: 'OK', route: METHOD });
    expect([more, [...logged].filter(({ method }) => method !== undefined).length]).toEqual([
      [],
      1,
    ]);
  });

  it('of a call that has failed has its level, though the status of HTTP is 200', async () => {
    await start('1h');
    const path = '/shop.v1.Orders/Get';
    await posted(path, 'application/grpc-web', Buffer.from([0, 0, 0, 0, 0]));
    expect(await eventOf(path)).toMatchObject([
      { status: 200, protocol: 'grpc-web', code: 'UNIMPLEMENTED', level: 'error' },
    ]);
  });

  it('has what its handler assigned, what extractors find of both, and the level of its route', async () => {
    await start('1h');
    await once((await asked('/v1/products/p-1')).resume(), 'end');
    const [event] = await eventOf('/v1/products/p-1');
    expect(event).toMatchObject({
      status: 200,
      method: METHOD,
      code: 'OK',
      route: '/v1/{name=products/*}',
      handler: 'ShopController.get',
      Product: 'products/p-1',
      Url: '/v1/products/p-1',
      Called: METHOD,
      level: 'debug',
    });
    expect(logged.withTemplate('found').only()).toMatchObject({ Product: 'products/p-1' });
  });

  it('is left out where its route is silent', async () => {
    await start('1h');
    await once((await asked('/v1/products')).resume(), 'end');
    await once((await asked('/last')).resume(), 'end');
    await eventOf('/last');
    expect([...logged].filter(({ Path }) => Path === '/v1/products')).toEqual([]);
  });

  it('of a stream that its caller leaves has what was sent, and is never slow', async () => {
    await start('0ms');
    const response = await asked('/v1/orders:watch');
    await once(response, 'data');
    response.destroy();
    const events = await eventOf('/v1/orders:watch');
    expect(events).toMatchObject([
      { level: 'info', status: 200, ended: 'caller', method: '/shop.v1.Orders/Watch' },
    ]);
  });
});
