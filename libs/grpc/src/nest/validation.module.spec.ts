import 'reflect-metadata';
import { encodeBadRequest } from '@apix/calls';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import type { Client } from '@grpc/grpc-js';
import { expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import { type Observable, count, map, tap } from 'rxjs';
import { SHOP, call, clientOf } from '../../../grpc-client/src/client.fixture.js';
import { GrpcServer } from './grpc-server.js';
import { GrpcModule } from './grpc.module.js';
import { ValidationModule } from './validation.module.js';

const shop = ProtoRegistry.load(SHOP);
const Cancel = shop.method('/shop.v1.Orders/Cancel');
const Import = shop.method('/shop.v1.Orders/Import');

let handled: unknown[] = [];

@Controller()
class OrdersController {
  @GrpcMethod('Orders', 'Cancel')
  cancel(request: unknown): object {
    handled.push(request);
    return {};
  }

  @GrpcStreamMethod('Orders', 'Import')
  import(
    requests: Observable<unknown>,
    _: unknown,
    call: { readonly cancelled: boolean },
  ): Observable<object> {
    return requests.pipe(
      tap({
        next: (request) => handled.push(request),
        complete: () => handled.push(call.cancelled ? 'cancelled' : 'complete'),
      }),
      count(),
      map((created) => ({ created })),
    );
  }
}

async function start(): Promise<Client> {
  handled = [];
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: SHOP }),
      GrpcModule.forRoot({ port: 0, host: '127.0.0.1', unenforcedPolicies: 'allow' }),
      ValidationModule.forRoot(),
    ],
    controllers: [OrdersController],
  })
  class App {}
  const { app } = await startHost(App, { http: false });
  return clientOf(app!.get(GrpcServer).address);
}

it('a request that breaks rules is answered with the fields that do, and reaches no handler', async () => {
  const client = await start();
  const { status, details, trailers } = await call(client, Cancel, [{ name: 'x' }]);
  const description = 'does not match regex pattern `^orders/[a-z0-9-]+$`';
  expect({ status, details }).toEqual({
    status: 'INVALID_ARGUMENT',
    details: `invalid request: name: ${description}`,
  });
  const { value } = encodeBadRequest([{ field: 'name', description, reason: 'string.pattern' }]);
  const [packed] = trailers.get('grpc-status-details-bin');
  expect((packed as Buffer).includes(Buffer.from(value))).toBe(true);
  expect(handled).toEqual([]);
});

it('a request that keeps the rules reaches its handler', async () => {
  const client = await start();
  expect((await call(client, Cancel, [{ name: 'orders/1' }])).status).toBe('OK');
  expect(handled).toMatchObject([{ name: 'orders/1' }]);
});

it('each message of a stream is held against the rules', async () => {
  const client = await start();
  const order = { lines: [{ product: 'products/1', quantity: 1 }] };
  const { status, details } = await call(client, Import, [{ order }, {}, { order }]);
  expect({ status, details }).toEqual({
    status: 'INVALID_ARGUMENT',
    details: 'invalid request: order: value is required',
  });
  expect(handled).toEqual([expect.objectContaining({ order: expect.anything() }), 'cancelled']);
});
