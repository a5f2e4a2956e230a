import 'reflect-metadata';
import { HostRef, HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { call, clientOf, probe } from '../../../grpc-client/src/client.fixture.js';
import { ObservableController, probeApp } from '../probe.fixture.js';
import { connectGrpc } from './grpc.module.js';
import { GrpcServer } from './grpc-server.js';

const [Unary] = probe.services[0]!.methods;

@Module({ imports: [HostxModule.forRoot({}), probeApp([ObservableController])] })
class App {}

/** What a main and the tests of an app have in common, once the main has become `runHost`. */
describe('connectGrpc in the setup that an app gives runHost', () => {
  it('connects one server, which the host starts as its service and nothing else does', async () => {
    const host = await startHost(App, { http: false, configure: connectGrpc });
    const app = host.app!;
    const server = app.get(GrpcServer);
    expect(app.getMicroservices()).toHaveLength(1);
    const services = app.get(HostRef).state.services.map(({ name }) => name);
    expect(services).toContain('grpc');
    expect(services).not.toContain('microservices');
    const client = clientOf(server.address);
    expect((await call(client, Unary, [{ stringValue: 'a' }])).status).toBe('OK');
    expect(await host.stop()).toBeUndefined();
  });
});
