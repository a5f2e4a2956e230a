import 'reflect-metadata';
import { startHost } from '@apix/hostx/testing';
import { describe, expect, it } from '@jest/globals';
import { Controller, type INestApplication, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { type Text, probeApp } from '../probe.fixture.js';
import { GrpcServer } from './grpc-server.js';

const unary = probe.services[0]!.methods.find(({ name }) => name === 'Unary')!;

describe('a gRPC handler that awaits app.close()', () => {
  it.each([0, 5])('answers, and the host stops: after %d ms', async (afterMs) => {
    let app: INestApplication | undefined;
    @Controller()
    class Closing {
      @GrpcMethod('Probe', 'Unary') async unary(): Promise<Text> {
        if (afterMs > 0) await sleep(afterMs);
        await app!.close();
        return { stringValue: 'bye' };
      }
    }
    @Module({ imports: [probeApp([Closing])] })
    class App {}
    const started = await startHost(App, { http: false, shutdownTimeout: '5s' });
    app = started.app!;
    const client = clientOf(app.get(GrpcServer).address);
    const { messages } = await call(client, unary, [{ stringValue: 'x' }]);
    expect(messages).toMatchObject([{ stringValue: 'bye' }]);
    expect(await started.stop()).toBeUndefined();
  });
});
