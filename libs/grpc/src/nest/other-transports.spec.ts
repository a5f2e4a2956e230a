import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Controller, type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ClientProxyFactory,
  EventPattern,
  MessagePattern,
  type TcpClientOptions,
  Transport,
} from '@nestjs/microservices';
import { firstValueFrom } from 'rxjs';
import { freePort } from '../../../../tools/testing/free-port.js';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { ObservableController, probeApp } from '../probe.fixture.js';
import { connectGrpc } from './grpc.module.js';
import { GrpcServer } from './grpc-server.js';

const [Unary] = probe.services[0]!.methods;

/** Handlers that were there before gRPC. */
@Controller()
class Messages {
  @MessagePattern('sum') sum(numbers: number[]): number {
    return numbers.reduce((all, one) => all + one, 0);
  }

  @MessagePattern({ cmd: 'sum' }) command(numbers: number[]): number {
    return this.sum(numbers);
  }

  @MessagePattern({ service: 'Probe', rpc: 'Unary' }, Transport.TCP) alike(): string {
    return 'tcp';
  }

  @MessagePattern({ service: 'Probe', rpc: 'Unary' }) everywhere(): string {
    return 'every transport';
  }

  @EventPattern('happened') happened(_event: unknown): void {}
}

function app(): Type {
  @Module({ imports: [probeApp([ObservableController])], controllers: [Messages] })
  class App {}
  return App;
}

async function answers(server: GrpcServer): Promise<string> {
  const client = clientOf(server.address);
  return (await call(client, Unary, [{ stringValue: 'a' }])).status;
}

let plain: INestApplication | undefined;
afterEach(async () => {
  await plain?.close();
  plain = undefined;
});

describe('handlers of other transports next to gRPC', () => {
  it('are left alone where no other transport is connected', async () => {
    const { app: nest } = await startHost(app(), { http: false });
    expect(await answers(nest!.get(GrpcServer))).toBe('OK');
  });

  it('are left alone in an app with a main of its own', async () => {
    plain = await NestFactory.create(app(), { logger: false, abortOnError: false });
    connectGrpc(plain);
    await plain.startAllMicroservices();
    expect(await answers(plain.get(GrpcServer))).toBe('OK');
  });

  it('are served by the transport that they are for', async () => {
    const options: TcpClientOptions = {
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: await freePort() },
    };
    const { app: nest } = await startHost(app(), { http: false, microservices: [options] });
    const client = ClientProxyFactory.create(options);
    const send = (pattern: unknown) => firstValueFrom(client.send(pattern, [1, 2]));
    expect(await send('sum')).toBe(3);
    expect(await send({ cmd: 'sum' })).toBe(3);
    expect(await answers(nest!.get(GrpcServer))).toBe('OK');
    client.close();
  });
});
