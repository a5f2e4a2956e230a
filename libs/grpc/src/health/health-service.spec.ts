import 'reflect-metadata';
import { HEALTH_SOURCE, type HealthAnswer, type HealthSource } from '@apix/contracts';
import { OnStarted } from '@apix/hostx';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import type { DescMethod, Message } from '@bufbuild/protobuf';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { call, clientOf, openCall } from '../../../grpc-client/src/client.fixture.js';
import {
  Health,
  type HealthCheckResponse,
  HealthCheckResponse_ServingStatus as Status,
} from '../../../grpc-client/src/gen/grpc/health/v1/health_pb.js';
import { connectGrpc } from '../nest/grpc.module.js';
import { GrpcServer } from '../nest/grpc-server.js';
import { ObservableController, probeApp } from '../probe.fixture.js';
import type { GrpcModuleOptions } from '../server/grpc-options.js';

const [Check, Watch, List] = Health.methods as [DescMethod, DescMethod, DescMethod];

/** Well or not, and a hook that runs before the host is started. */
@Injectable()
class Db implements HealthSource {
  readonly [HEALTH_SOURCE] = true as const;
  isWell = true;
  answer: HealthAnswer = undefined;
  whileStarting = (): Promise<void> => Promise.resolve();

  healthChecks() {
    const check = (): HealthAnswer => {
      if (!this.isWell) throw new Error('no connection');
      return this.answer;
    };
    return [{ name: 'db', affects: 'ready' as const, check }];
  }

  @OnStarted() starting(): Promise<void> {
    return this.whileStarting();
  }
}

function appWith(options: GrpcModuleOptions = {}) {
  @Module({ imports: [probeApp([ObservableController], options)], providers: [Db] })
  class App {}
  return App;
}

function start(options?: GrpcModuleOptions): Promise<StartedHost> {
  return startHost(appWith(options), { http: false, shutdownTimeout: '5s' });
}

const address = ({ app }: Pick<StartedHost, 'app'>): string => app!.get(GrpcServer).address;

async function check(server: string, service = ''): Promise<string> {
  const { status, details, messages } = await call(clientOf(server), Check, [{ service }]);
  const [response] = messages as HealthCheckResponse[];
  return response === undefined ? `${status}: ${details}` : Status[response.status];
}

/** A watch whose answers can be waited for. */
function watch(server: string, service = '') {
  const { stream, answer } = openCall(clientOf(server), Watch);
  const heard: string[] = [];
  let wake = (): void => {};
  stream.on('data', (response: Message) => {
    heard.push(Status[(response as HealthCheckResponse).status]);
    wake();
  });
  stream.write({ service });
  stream.end();
  const until = async (count: number): Promise<readonly string[]> => {
    while (heard.length < count) await new Promise<void>((resolve) => (wake = resolve));
    return heard;
  };
  return { until, answer };
}

describe('grpc.health.v1.Health/Check', () => {
  it.each([
    ['', 'SERVING'],
    ['apix.testdata.Probe', 'SERVING'],
    ['grpc.health.v1.Health', 'SERVING'],
    ['apix.testdata.Prob', 'NOT_FOUND: there is no service apix.testdata.Prob'],
  ])('of "%s" is %s', async (service, answer) => {
    expect(await check(address(await start()), service)).toBe(answer);
  });

  it('is NOT_SERVING while a health source of the app is not well', async () => {
    const host = await start();
    host.app!.get(Db).isWell = false;
    expect(await check(address(host))).toBe('NOT_SERVING');
    expect(await check(address(host), 'apix.testdata.Probe')).toBe('NOT_SERVING');
  });

  it.each<[string, string, HealthAnswer]>([
    ['NOT_SERVING', 'false', false],
    ['NOT_SERVING', 'an indicator that is down', { db: { status: 'down' } }],
    ['SERVING', 'an indicator that is up', { db: { status: 'up' } }],
    ['SERVING', 'true', true],
  ])('is %s while a check returns %s', async (status, _, answer) => {
    const host = await start();
    host.app!.get(Db).answer = answer;
    expect(await check(address(host))).toBe(status);
  });

  it('is NOT_SERVING before the host has started', async () => {
    let early = '';
    const App = appWith();
    await startHost(App, {
      http: false,
      configure: (app) => {
        app.get(Db).whileStarting = async () => {
          early = await check(address({ app }));
        };
      },
    });
    expect(early).toBe('NOT_SERVING');
  });

  it('is UNIMPLEMENTED where health is switched off', async () => {
    expect(await check(address(await start({ health: false })))).toMatch(/^UNIMPLEMENTED/);
  });

  describe('without a host', () => {
    let app: INestApplication;
    afterEach(() => app.close());

    it('is SERVING as soon as the server listens', async () => {
      app = await NestFactory.create(appWith(), { logger: false });
      connectGrpc(app);
      await app.startAllMicroservices();
      expect(await check(address({ app }))).toBe('SERVING');
    });
  });
});

it('grpc.health.v1.Health/List has the server and its services', async () => {
  const { messages } = await call(clientOf(address(await start())), List, [{}]);
  const serving = expect.objectContaining({ status: Status.SERVING });
  expect(messages).toMatchObject([
    {
      statuses: { '': serving, 'apix.testdata.Probe': serving, 'grpc.health.v1.Health': serving },
    },
  ]);
});

describe('grpc.health.v1.Health/Watch', () => {
  it('tells the state, each change of it, and that the server is about to stop', async () => {
    const host = await start({ healthInterval: 20 });
    const { until, answer } = watch(address(host), 'apix.testdata.Probe');
    expect(await until(1)).toEqual(['SERVING']);
    host.app!.get(Db).isWell = false;
    expect(await until(2)).toEqual(['SERVING', 'NOT_SERVING']);
    host.app!.get(Db).isWell = true;
    expect(await until(3)).toEqual(['SERVING', 'NOT_SERVING', 'SERVING']);
    const stopped = host.stop();
    expect(await until(4)).toEqual(['SERVING', 'NOT_SERVING', 'SERVING', 'NOT_SERVING']);
    expect((await answer).status).toBe('OK');
    expect(await stopped).toBeUndefined();
  });

  it('of an unknown service says SERVICE_UNKNOWN and stays open, but not beyond a stop', async () => {
    const host = await start();
    const { until, answer } = watch(address(host), 'nobody');
    expect(await until(1)).toEqual(['SERVICE_UNKNOWN']);
    expect(await host.stop()).toBeUndefined();
    expect((await answer).status).toBe('OK');
  });
});
