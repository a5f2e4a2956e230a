import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GrpcModule } from '@apix/grpc';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { type Observable, of } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { TRANSCODING } from '../fixtures/echo-server.fixture.js';
import { type Answer, ask } from '../fixtures/serve.fixture.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayModule } from './gateway.module.js';

const MIB = 1024 * 1024;
const FILE = { contentType: 'image/png', data: new Uint8Array(5 * MIB) };

@Controller()
class Files {
  @GrpcMethod('EchoService', 'Raw')
  raw(): typeof FILE {
    return FILE;
  }

  @GrpcMethod('StreamService', 'Download')
  download(): Observable<typeof FILE> {
    return of(FILE);
  }
}

async function start(
  transport: 'in-process' | 'network',
  options: GatewayModuleOptions,
): Promise<number> {
  const grpc = { port: await freePort(), host: '127.0.0.1' };
  const where = transport === 'network' ? { endpoint: `127.0.0.1:${grpc.port}` } : {};
  @Module({
    imports: [
      ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
      GrpcModule.forRoot(grpc),
      GatewayModule.forRoot({ ...where, ...options }),
    ],
    controllers: [Files],
  })
  class App {}
  const { app } = await startHost(App, { http: { port: 0 } });
  return ((app!.getHttpServer() as Server).address() as AddressInfo).port;
}

async function both(port: number): Promise<Answer[]> {
  return [await ask(port, '/v1/raw', { method: 'POST' }), await ask(port, '/v1/download')];
}

describe.each(['in-process', 'network'] as const)('over the transport %s', (transport) => {
  it.each<[string, GatewayModuleOptions]>([
    ['by default', {}],
    ['at a limit below it', { maxResponseBytes: 5 * MIB }],
  ])('a file of 5 MiB is too large %s', async (_, options) => {
    for (const { status, json } of await both(await start(transport, options))) {
      expect([status, json]).toMatchObject([500, { detail: 'the response is too large' }]);
    }
  });

  it.each<[string, GatewayModuleOptions]>([
    ['at a limit above it', { maxResponseBytes: 5 * MIB + 100 }],
    ['without a limit', { maxResponseBytes: -1 }],
    ['by an option of grpc-js', { channelOptions: { 'grpc.max_receive_message_length': -1 } }],
  ])('a file of 5 MiB is sent %s', async (_, options) => {
    for (const { status, headers, text } of await both(await start(transport, options))) {
      expect([status, headers['content-type'], text.length]).toEqual([200, 'image/png', 5 * MIB]);
    }
  });
});

it('two limits of responses are a mistake', async () => {
  const channelOptions = { 'grpc.max_receive_message_length': -1 };
  await expect(start('in-process', { channelOptions, maxResponseBytes: 5 })).rejects.toThrow(
    'gateway: maxResponseBytes: cannot be combined with channelOptions["grpc.max_receive_message_length"]',
  );
});
