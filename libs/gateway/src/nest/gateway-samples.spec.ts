import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { METHOD_SAMPLES, type MethodSamples } from '@apix/contracts/internal';
import { discoverMarked } from '@apix/contracts/nest';
import type { INestApplication } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { startApp } from '../fixtures/nest-app.fixture.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';

const QUERY = '/transcoding.v1.EchoService/Query';
const CHAT = '/transcoding.v1.StreamService/Chat';

let echo: EchoServer;
let app: INestApplication | undefined;
beforeAll(async () => {
  echo = await startEchoServer();
});
afterEach(async () => {
  await app?.close();
  app = undefined;
});
afterAll(() => echo.stop());

/** What the host page finds. */
async function start(gateway: GatewayModuleOptions): Promise<MethodSamples> {
  const options = { endpoint: echo.endpoint, ...gateway };
  const main = (it: INestApplication): void => void it.setGlobalPrefix('api');
  ({ app } = await startApp({ platform: 'Express', gateway: options, main }));
  const [found] = discoverMarked<MethodSamples>(app.get(DiscoveryService), METHOD_SAMPLES);
  return found!;
}

describe('the samples of an app', () => {
  it('are of the methods that its server serves, at their paths below the global prefix', async () => {
    const samples = await start({ protocols: ['rest', 'connect'] });
    expect(samples.methods()).toContainEqual({ method: QUERY, kind: 'unary' });
    expect(samples.methods()).toContainEqual({ method: CHAT, kind: 'bidi_stream' });
    expect(samples.samplesOf(QUERY)).toEqual([
      { protocol: 'rest', httpMethod: 'GET', target: '/api/v1/query', body: undefined },
      {
        protocol: 'connect',
        httpMethod: 'POST',
        target: `/api${QUERY}`,
        body: expect.objectContaining({ str: expect.any(String) }),
      },
    ]);
    expect(samples.samplesOf('/transcoding.v1.EchoService/Nope')).toEqual([]);
  });

  it('leave out methods that no browser can call', async () => {
    const samples = await start({ protocols: ['rest', 'grpc'] });
    const methods = samples.methods().map(({ method }) => method);
    expect(methods).toContain(QUERY);
    expect(methods).not.toContain(CHAT);
  });

  it('are none where the gateway has a port of its own', async () => {
    const samples = await start({ port: 0 });
    expect(samples.methods()).toEqual([]);
  });
});
