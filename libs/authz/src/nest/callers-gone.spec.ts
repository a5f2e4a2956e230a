import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallContext } from '@apix/contracts';
import { ProtoModule } from '@apix/proto';
import { Client, credentials } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, type GrpcOptions, Transport } from '@nestjs/microservices';
import { until } from '../../../../tools/testing/until.js';
import type { SubjectFunc } from '../subject/subject.js';
import { AuthzModule } from './authz.module.js';
import { Requires } from './authz.decorators.js';
import { SHOP } from './shop.fixture.js';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

@Controller('orders')
class OrdersController {
  @Get()
  @Requires({ roles: { anyOf: ['admin'] } })
  list() {
    return [];
  }
}

@Controller()
class RpcController {
  @GrpcMethod('Orders', 'Cancel')
  cancel() {
    return {};
  }
}

function appOf(controller: Type, subject: SubjectFunc): Type {
  @Module({
    imports: [ProtoModule.forRoot({ descriptors: SHOP }), AuthzModule.forRoot({ subject })],
    controllers: [controller],
  })
  class App {}
  return App;
}

const QUIET = { logger: false, abortOnError: false } as const;

/** Makes a call whose caller waits for an answer; ends it from the caller's side. */
type Door = (subject: SubjectFunc) => Promise<() => void>;

const overHttp: Door = async (subject) => {
  const app = await NestFactory.create(appOf(OrdersController, subject), QUIET);
  closers.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  const { port } = new URL(await app.getUrl());
  const socket = connect(Number(port), '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write('GET /orders HTTP/1.1\r\nhost: x\r\n\r\n');
  return () => socket.destroy();
};

/** Nest's own transport, where the guard alone decides. */
const overStockGrpc: Door = async (subject) => {
  const folder = mkdtempSync(join(tmpdir(), 'authz-gone-'));
  const url = `unix:${join(folder, 'grpc')}`;
  const method = {
    path: '/test.Orders/Cancel',
    originalName: 'Cancel',
    requestStream: false,
    responseStream: false,
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    responseSerialize: () => Buffer.alloc(0),
    responseDeserialize: () => ({}),
  };
  const options: GrpcOptions = {
    transport: Transport.GRPC,
    options: { url, package: 'test', packageDefinition: { 'test.Orders': { Cancel: method } } },
  };
  const app = await NestFactory.createMicroservice(appOf(RpcController, subject), {
    ...QUIET,
    ...options,
  });
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  closers.push(() => app.close());
  await app.listen();
  const client = new Client(url, credentials.createInsecure());
  closers.push(() => client.close());
  const { path, requestSerialize, responseDeserialize } = method;
  const call = client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, () => {});
  return () => call.cancel();
};

describe.each([
  ['HTTP', overHttp],
  ["Nest's own gRPC transport", overStockGrpc],
])('the signal of a call over %s', (_door, open) => {
  it('aborts when the caller goes away while the subject is being found', async () => {
    const calls: CallContext[] = [];
    const leave = await open(async (call) => {
      calls.push(call);
      await once(call.signal, 'abort');
      return null;
    });
    await until(() => calls.length === 1);
    expect(calls[0]!.signal.aborted).toBe(false);
    leave();
    await until(() => calls[0]!.signal.aborted);
    expect(calls).toHaveLength(1);
  });
});
