import 'reflect-metadata';
import { AuthzModule, type SubjectFunc } from '@apix/authz';
import { GrpcModule, GrpcService } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type Socket, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { Catalog, type GetProductRequest } from '../src/gen/shop/v1/catalog_pb.js';
import { type GetOrderRequest, Orders } from '../src/gen/shop/v1/orders_pb.js';
import { LineServer } from './line-server.fixture.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const guide = readFileSync(
  new URL('../../../docs/guides/own-entry-point.md', import.meta.url),
  'utf8',
);
const code = readFileSync(new URL('line-server.fixture.ts', import.meta.url), 'utf8');
const printed = /```text\n(.*?)```/s.exec(guide)![1]!.trim().split('\n');

const subject: SubjectFunc = ({ metadata }) =>
  metadata.get('x-user').length > 0
    ? { id: 'ada', roles: ['clerk', 'admin', 'staff'], permissions: ['orders:read'] }
    : null;

let seen: unknown[] = [];

@GrpcService(Catalog)
class CatalogController {
  get({ name }: GetProductRequest) {
    seen.push(name);
    return { name, title: 'Green tea' };
  }
}

@GrpcService(Orders)
class OrdersController {
  get({ name }: GetOrderRequest) {
    seen.push(name);
    return { name };
  }
}

@Module({
  imports: [
    HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
    ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
    AuthzModule.forRoot({ subject }),
    GrpcModule.forRoot({ port: 0, host: '127.0.0.1' }),
  ],
  controllers: [CatalogController, OrdersController],
  providers: [LineServer],
})
class LineApp {}

let stop: () => Promise<unknown>;
let socket: Socket;
/** The other end of it. */
let served: Socket | undefined;
let lines: string[];

subscribe('net.server.socket', (event) => {
  served = (event as { readonly socket: Socket }).socket;
});

beforeEach(async () => {
  seen = [];
  lines = [];
  ({ stop } = await startHost(LineApp, { http: false }));
  socket = connect(4000, '127.0.0.1');
  createInterface({ input: socket }).on('line', (line) => {
    lines.push(line);
    socket.emit('answer');
  });
  await once(socket, 'connect');
});

afterEach(async () => {
  socket.destroy();
  await stop();
});

async function answers(line: string, count: number): Promise<string[]> {
  lines = [];
  socket.write(`${line}\n`);
  while (lines.length < count) await once(socket, 'answer');
  return lines;
}

it('the guide shows the entry point that is tested here', () => {
  expect(guide).toContain(code);
});

it('an entry point of its own answers as the guide shows', async () => {
  const [served, ...toServed] = printed.slice(0, 3);
  expect(await answers(served!, 2)).toEqual(toServed);
  const [denied, ...toDenied] = printed.slice(3);
  expect(await answers(denied!, 1)).toEqual(toDenied);
  expect(seen).toEqual(['products/tea']);
});

it('an entry point of its own passes metadata on to the policies', async () => {
  const request = { method: '/shop.v1.Orders/Get', request: { name: 'orders/1' } };
  const line = JSON.stringify({ ...request, metadata: { 'x-user': 'ada' } });
  expect(await answers(line, 2)).toEqual([
    '{"answer":{"name":"orders/1"}}',
    '{"code":"OK","message":"OK"}',
  ]);
});

it.each([
  ['no JSON', '{'],
  ['a method that nobody knows', '{"method":"/a.B/C","request":{}}'],
])('an entry point of its own answers %s with a code', async (_, line) => {
  expect(await answers(line, 1)).toEqual(['{"code":"INVALID_ARGUMENT"}']);
});

it('an entry point of its own cancels what it cannot read', async () => {
  const line = '{"method":"/shop.v1.Catalog/Get","request":{"nmae":1}}';
  expect(await answers(line, 1)).toEqual(['{"code":"CANCELLED","message":"Cancelled on client"}']);
});

it('an entry point of its own keeps nothing of the calls that have ended', async () => {
  const line = '{"method":"/shop.v1.Catalog/Get","request":{"name":"products/tea"}}';
  await answers(line, 2);
  const before = served!.listenerCount('close');
  for (let count = 0; count < 100; count += 1) await answers(line, 2);
  expect(served!.listenerCount('close')).toBe(before);
});

it('an entry point of its own ends a connection whose line does not end', async () => {
  const hostile = connect(4000, '127.0.0.1');
  // What is still to be sent is not read any more.
  hostile.on('error', () => {});
  const closed = new Promise((resolve) => hostile.once('close', resolve));
  hostile.write('x'.repeat(1024 * 1024));
  await closed;
  expect(served!.destroyed).toBe(true);
});

it('an entry point of its own ends its connections when the app stops', async () => {
  await answers('{', 1);
  const closed = once(socket, 'close');
  await stop();
  await closed;
});
