import type { Metadata } from '@grpc/grpc-js';
import { Controller, Module } from '@nestjs/common';
import { GrpcMethod } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { expect, it } from '@jest/globals';
import { channelOf, createClient } from '../client/create-client.js';
import type { Client } from '../client/client-types.js';
import { Probe, type ProbeService } from '../client/probe-service.fixture.js';
import { probeApp } from '../../../grpc/src/probe.fixture.js';
import { GrpcServer } from '../../../grpc/src/nest/grpc-server.js';
import { connectGrpc } from '../../../grpc/src/nest/grpc.module.js';
import { InjectClient } from './client-token.js';
import { GrpcClientModule } from './grpc-client.module.js';

interface Text {
  readonly stringValue: string;
}

/** Asks itself, as another part of the app would, and says what that was asked with. */
@Controller()
class Echoing {
  constructor(@InjectClient(Probe) private readonly self: Client<ProbeService>) {}

  @GrpcMethod('Probe', 'Unary')
  async unary({ stringValue }: Text, metadata: Metadata): Promise<Text> {
    if (stringValue === 'inner') return { stringValue: String(metadata.get('x-request-id')) };
    return this.self.unary({ stringValue: 'inner' });
  }
}

it('a client without an endpoint calls the gRPC server of its own app', async () => {
  @Module({ imports: [GrpcClientModule.forFeature(Probe), probeApp([])], controllers: [Echoing] })
  class App {}
  const app = (
    await Test.createTestingModule({ imports: [App] }).compile()
  ).createNestApplication();
  connectGrpc(app);
  await app.init();
  await app.startAllMicroservices();
  const client = createClient(Probe, { endpoint: app.get(GrpcServer).address });
  const headers = { 'x-request-id': 'r-7' };
  const { stringValue } = await client.unary({ stringValue: 'outer' }, { headers });
  expect(stringValue).toBe('r-7');
  await channelOf(client).close();
  await app.close();
});
