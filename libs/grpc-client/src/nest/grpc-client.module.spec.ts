import { type HealthCheck, RELOADABLE } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { status } from '@grpc/grpc-js';
import { type DynamicModule, Injectable, Module } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import { circuitBreaker } from '../breaker/circuit-breaker.js';
import { channelOf } from '../client/create-client.js';
import type { Client } from '../client/client-types.js';
import {
  Probe,
  type ProbeService,
  failureOfCall,
  serveProbe,
} from '../client/probe-service.fixture.js';
import { fakeClient } from '../../../grpc/src/testing/fake-client.js';
import { InjectClient, clientToken } from './client-token.js';
import { GrpcClientModule } from './grpc-client.module.js';
import { GrpcClients } from './grpc-clients.js';

let app: TestingModule | undefined;
afterEach(async () => {
  await app?.close();
  app = undefined;
});

@Injectable()
class Greeter {
  constructor(@InjectClient(Probe) readonly client: Client<ProbeService>) {}

  async greet(): Promise<string> {
    return (await this.client.unary({ stringValue: 'you' })).stringValue;
  }
}

function echo() {
  return serveProbe({
    Unary: ({ request }, respond) => respond(null, { stringValue: `hello ${request.stringValue}` }),
  });
}

async function compile(...imports: NonNullable<Parameters<typeof Module>[0]['imports']>) {
  const module = Test.createTestingModule({ imports, providers: [Greeter] });
  app = await module.compile();
  return app;
}

async function run(checks: readonly HealthCheck[]): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const results = await Promise.allSettled(checks.map(async (each) => each.check(signal)));
  return results.map(({ status }, i) => `${checks[i]!.name} ${status}`);
}

describe('the module of clients', () => {
  it('injects a client of a service', async () => {
    const { endpoint } = await echo();
    const { metrics, checks } = await compile(
      GrpcClientModule.forFeature(Probe, { endpoint }),
    ).then(async (made) => {
      expect(await made.get(Greeter).greet()).toBe('hello you');
      const clients = made.get(GrpcClients, { strict: false });
      return { metrics: [...clients.metrics()], checks: await run(clients.healthChecks()) };
    });
    expect(checks).toEqual(['grpc client apix.testdata.Probe fulfilled']);
    expect(
      metrics.map(({ name, value, attributes }) => [name, value, attributes?.['code']]),
    ).toEqual([
      ['apix.grpc.client.calls.active', 0, undefined],
      ['apix.grpc.client.calls', 1, 'OK'],
    ]);
  });

  it('takes options that are made, over defaults that hold for all clients', async () => {
    const { endpoint } = await echo();
    const made = await compile(
      GrpcClientModule.forRootAsync({ useFactory: async () => ({ timeout: '5m' }) }),
      GrpcClientModule.forFeatureAsync(Probe, { useFactory: async () => ({ endpoint }) }),
      GrpcClientModule.forFeature(Probe, { name: 'short', endpoint, timeout: '1m' }),
    );
    const short = made.get<Client<ProbeService>>(clientToken(Probe, 'short'), { strict: false });
    expect(await made.get(Greeter).greet()).toBe('hello you');
    expect((await short.unary({})).stringValue).toBe('hello ');
    expect(made.get(GrpcClients, { strict: false }).healthChecks()).toHaveLength(2);
  });

  it('fails readiness while a server cannot be reached, unless health is false', async () => {
    const made = await compile(
      GrpcClientModule.forFeature(Probe, { endpoint: '127.0.0.1:1' }),
      GrpcClientModule.forFeature(Probe, { name: 'loose', endpoint: '127.0.0.1:1', health: false }),
    );
    const clients = made.get(GrpcClients, { strict: false });
    expect(hasMark(clients, RELOADABLE)).toBe(true);
    await failureOfCall(made.get(Greeter).greet());
    expect(await run(clients.healthChecks())).toEqual(['grpc client apix.testdata.Probe rejected']);
  });

  it('shows the health and the figures of stages, once where clients share one', async () => {
    const { endpoint } = await serveProbe({
      Unary: (_call, respond) => respond({ code: status.UNAVAILABLE, details: 'down' }),
    });
    const stages = [circuitBreaker({ window: 1 })];
    const made = await compile(
      GrpcClientModule.forFeature(Probe, { endpoint, stages }),
      GrpcClientModule.forFeature(Probe, { name: 'other', endpoint, stages }),
    );
    await failureOfCall(made.get(Greeter).greet());
    const clients = made.get(GrpcClients, { strict: false });
    expect(await run(clients.healthChecks())).toEqual([
      'grpc client apix.testdata.Probe fulfilled',
      'grpc client apix.testdata.Probe (other) fulfilled',
      `grpc circuit ${endpoint} rejected`,
    ]);
    expect([...clients.metrics()].filter(({ name }) => name.includes('circuit'))).toMatchObject([
      { name: 'apix.grpc.client.circuit.state', value: 2, attributes: { target: endpoint } },
      { name: 'apix.grpc.client.circuit.refused', value: 0 },
    ]);
  });

  it('says at boot what is wrong with the options', async () => {
    await expect(compile(GrpcClientModule.forFeature(Probe, {}))).rejects.toThrow(
      'grpc: endpoint: missing; set it to the host:port to call, or server to a GrpcServer',
    );
  });

  const AT = { endpoint: '127.0.0.1:1' };

  it.each<[string, () => DynamicModule, string]>([
    [
      'forRoot',
      () => GrpcClientModule.forRoot({ timout: '1s' } as never),
      'grpc: timout: is not known here; did you mean timeout?',
    ],
    [
      'forRoot, where they depend on the service',
      () => GrpcClientModule.forRoot({ retry: {} } as never),
      'grpc: retry: is not known here',
    ],
    [
      'the factory of forRootAsync, that returns nothing',
      () => GrpcClientModule.forRootAsync({ useFactory: async () => undefined as never }),
      'grpc: GrpcClientModule: options must be an object, not undefined',
    ],
    [
      'the factory of forFeatureAsync, that returns nothing',
      () => GrpcClientModule.forFeatureAsync(Probe, { useFactory: () => undefined as never }),
      'grpc: GrpcClientModule of apix.testdata.Probe: options must be an object, not undefined',
    ],
    [
      'forFeature',
      () => GrpcClientModule.forFeature(Probe, { ...AT, closeTimout: '1s' } as never),
      'grpc: closeTimout: is not known here; did you mean closeTimeout?',
    ],
    [
      'forFeature, all of them',
      () => GrpcClientModule.forFeature(Probe, { ...AT, closeTimeout: 'x', health: 1 } as never),
      'health: must be true or false, not 1',
    ],
  ])('refuses at boot options of %s', async (_, made, message) => {
    const feature = GrpcClientModule.forFeature(Probe, AT);
    await expect(compile(made(), feature)).rejects.toThrow(message);
  });

  it.each<[string, () => unknown]>([
    ['forRootAsync', () => GrpcClientModule.forRootAsync({ useFactry: () => ({}) } as never)],
    [
      'forFeatureAsync',
      () => GrpcClientModule.forFeatureAsync(Probe, { useFactry: () => AT } as never),
    ],
  ])('refuses a name that %s does not know', (name, use) => {
    expect(use).toThrow(
      new RegExp(`${name}: 2 mistakes:\n.*useFactory: .*\n.*useFactry: .*did you mean useFactory`),
    );
  });

  it('waits for the calls under way when the app closes', async () => {
    let answer: (() => void) | undefined;
    const { endpoint } = await serveProbe({
      Unary: (_call, respond) => (answer = () => respond(null, { stringValue: 'late' })),
    });
    const made = await compile(GrpcClientModule.forFeature(Probe, { endpoint }));
    const { client } = made.get(Greeter);
    const call = made.get(Greeter).greet();
    await until(() => answer !== undefined);
    const closing = made.close();
    await until(() => channelOf(client).isClosing);
    answer!();
    expect(await call).toBe('late');
    await closing;
    expect(channelOf(client).state).toBe('closed');
  });

  it('gives way to a fake', async () => {
    const fake = fakeClient(Probe, { unary: () => ({ stringValue: 'a fake' }) });
    app = await Test.createTestingModule({
      imports: [GrpcClientModule.forFeature(Probe, { endpoint: 'nowhere.invalid:1' })],
      providers: [Greeter],
    })
      .overrideProvider(clientToken(Probe))
      .useValue(fake)
      .compile();
    expect(await app.get(Greeter).greet()).toBe('a fake');
  });
});
