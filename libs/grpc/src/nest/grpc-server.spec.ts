import 'reflect-metadata';
import { CALL_STAGE, type CallStage, Code, POLICY_SOURCE, StatusError } from '@apix/contracts';
import { HostxModule } from '@apix/hostx';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  Controller,
  type INestApplication,
  Logger,
  Module,
  type ModuleMetadata,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GrpcMethod, GrpcStreamMethod } from '@nestjs/microservices';
import {
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  credentials,
} from '@grpc/grpc-js';
import { createServer } from 'node:net';
import { Observable } from 'rxjs';
import { call, clientOf, openCall, probe } from '../../../grpc-client/src/client.fixture.js';
import {
  ObservableController,
  StreamCallController,
  type Text,
  probeApp,
} from '../probe.fixture.js';
import { connectGrpc } from './grpc.module.js';
import { GrpcServer } from './grpc-server.js';

const [Unary, ServerStream, ClientStream, BidiStream] = probe.services[0]!.methods;

function start(module: Type, shutdownTimeout = '5s'): Promise<StartedHost> {
  return startHost(module, { http: false, shutdownTimeout });
}

function addressOf({ app }: StartedHost): string {
  return app!.get(GrpcServer).address;
}

afterEach(() => void jest.restoreAllMocks());

describe('the app does not start', () => {
  @Controller()
  class Mistaken {
    @GrpcMethod('Prob', 'Unary')
    unknownService(): void {}

    @GrpcMethod('Probe', 'Unray')
    unknownMethod(): void {}

    @GrpcStreamMethod('Probe', 'ServerStream')
    wrongKind(): void {}
  }

  it('with handlers that fit no method; the error lists all of them', async () => {
    await expect(start(probeApp([Mistaken]))).rejects.toThrow(
      new Error(
        'grpc: 3 mistakes:\n  a handler serves Prob/Unary, but the descriptors have no Prob\n  ' +
          'a handler serves Probe/Unray, but apix.testdata.Probe has only Unary, ServerStream, ' +
          'ClientStream, BidiStream\n  ' +
          'a handler serves Probe/ServerStream, whose request is a single message: use @GrpcMethod',
      ),
    );
  });

  it('where the port is taken; the error names the address', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => {});
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    try {
      await expect(start(probeApp([ObservableController], { port }))).rejects.toThrow(
        `grpc: cannot listen at 127.0.0.1:${port}; check that no other process uses it`,
      );
    } finally {
      other.close();
    }
  });

  it('with policies that no stage enforces', async () => {
    @Module({
      imports: [probeApp([ObservableController])],
      providers: [{ provide: 'policies', useValue: { [POLICY_SOURCE]: true } }],
    })
    class App {}
    await expect(start(App)).rejects.toThrow('no authz stage enforces them');
  });
});

it('methods without a handler are named at the start', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  await start(probeApp([StreamCallController]));
  expect(warn.mock.calls).toEqual([
    [
      'no handler serves apix.testdata.Probe/Unary, apix.testdata.Probe/ServerStream: ' +
        'callers get UNIMPLEMENTED',
    ],
  ]);
});

it('no method is named where each has its handler', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
  await start(probeApp([ObservableController]));
  expect(warn.mock.calls).toEqual([]);
});

it('services that nobody serves are named at the start', async () => {
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
  await start(probeApp([]));
  expect(log.mock.calls).toContainEqual(['no controller serves apix.testdata.Probe']);
});

it('port 0 is a free port, which the server tells', async () => {
  const host = await start(probeApp([ObservableController]));
  const { port, address } = host.app!.get(GrpcServer);
  expect(port).toBeGreaterThan(1023);
  expect(address).toBe(`127.0.0.1:${port}`);
});

it('stages found in the app run in an order that can be read, and one that denies keeps the handler out', async () => {
  const seen: string[] = [];
  const stage = (name: string): CallStage => ({
    [CALL_STAGE]: true,
    name,
    bind: (method) => ({
      onCall() {
        seen.push(`${name} ${method.fullName} ${method.kind}`);
        if (name === 'authz') throw new StatusError(Code.PERMISSION_DENIED, 'no');
      },
    }),
  });
  @Module({
    imports: [probeApp([ObservableController])],
    providers: [
      { provide: 'validation', useValue: stage('validation') },
      { provide: 'authz', useValue: stage('authz') },
      { provide: 'log', useValue: stage('log') },
    ],
  })
  class App {}
  const log = jest.spyOn(Logger.prototype, 'log').mockImplementation(() => {});
  const host = await start(App);
  const client = clientOf(addressOf(host));
  expect(await call(client, BidiStream, [])).toMatchObject({
    status: 'PERMISSION_DENIED',
    details: 'no',
  });
  expect(seen).toEqual([
    'log /apix.testdata.Probe/BidiStream bidi_stream',
    'authz /apix.testdata.Probe/BidiStream bidi_stream',
  ]);
  const server = host.app!.get(GrpcServer);
  expect(server.stages).toEqual(['log', 'authz', 'validation']);
  expect(log.mock.calls).toContainEqual([
    `serves apix.testdata.Probe, grpc.health.v1.Health at ${server.address}; ` +
      'stages: log, authz, validation',
  ]);
});

it.each(['network', 'in-process'])(
  'interceptors of the options hear of calls that the stages let in, over the %s transport',
  async (transport) => {
    const heard: string[] = [];
    const interceptor: ServerInterceptor = ({ path }, call) => {
      const hear = new ServerListenerBuilder().withOnReceiveMetadata((metadata, next) => {
        heard.push(path);
        next(metadata);
      });
      return new ServerInterceptingCall(call, { start: (next) => next(hear.build()) });
    };
    const stage: CallStage = {
      [CALL_STAGE]: true,
      name: 'authz',
      bind: ({ kind }) => ({
        onCall() {
          if (kind !== 'unary') throw new StatusError(Code.PERMISSION_DENIED, 'no');
        },
      }),
    };
    @Module({
      imports: [probeApp([ObservableController], { interceptors: [interceptor] })],
      providers: [{ provide: 'authz', useValue: stage }],
    })
    class App {}
    const server = (await start(App)).app!.get(GrpcServer);
    const inProcess = server.clientInterceptor();
    const client = clientOf(server.address, credentials.createInsecure(), {
      interceptors: transport === 'network' ? [] : [inProcess],
    });
    expect((await call(client, Unary, [{}])).status).toBe('OK');
    expect((await call(client, ServerStream, [{}])).status).toBe('PERMISSION_DENIED');
    expect(heard).toEqual(['/apix.testdata.Probe/Unary']);
  },
);

describe('its calls are counted', () => {
  const figures = (server: GrpcServer): unknown[] =>
    Array.from(server.metrics())
      .filter(({ name }) => name.startsWith('apix.grpc.calls'))
      .map(({ name, value, attributes = {} }) => [name, ...Object.values(attributes), value]);

  it('by method and code, those that were denied or have no handler included', async () => {
    const stage: CallStage = {
      [CALL_STAGE]: true,
      name: 'authz',
      bind: ({ kind }) => ({
        onCall() {
          if (kind === 'bidi_stream') throw new StatusError(Code.PERMISSION_DENIED, 'no');
        },
      }),
    };
    @Controller()
    class Part {
      @GrpcMethod('Probe', 'Unary')
      unary({ stringValue }: Text): Text {
        if (stringValue === 'fail') throw new StatusError(Code.ABORTED, 'again');
        return { stringValue };
      }
    }
    jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => {});
    @Module({
      imports: [probeApp([Part])],
      providers: [{ provide: 'authz', useValue: stage }],
    })
    class App {}
    const server = (await start(App)).app!.get(GrpcServer);
    const client = clientOf(server.address);
    await call(client, Unary, [{ stringValue: 'a' }]);
    await call(client, Unary, [{ stringValue: 'a' }]);
    await call(client, Unary, [{ stringValue: 'fail' }]);
    await call(client, BidiStream, []);
    await call(client, ClientStream, []);
    const calls = ['apix.grpc.calls', 'apix.testdata.Probe'];
    expect(figures(server)).toEqual([
      ['apix.grpc.calls.active', 0],
      [...calls, 'Unary', 'OK', 2],
      [...calls, 'Unary', 'ABORTED', 1],
      [...calls, 'ClientStream', 'UNIMPLEMENTED', 1],
      [...calls, 'BidiStream', 'PERMISSION_DENIED', 1],
    ]);
  });

  it('while they are under way', async () => {
    const server = (await start(probeApp([ObservableController]))).app!.get(GrpcServer);
    const { stream, answer } = openCall(clientOf(server.address), BidiStream!);
    stream.write({ stringValue: 'a' });
    await new Promise((resolve) => stream.once('data', resolve));
    expect(figures(server)).toEqual([['apix.grpc.calls.active', 1]]);
    stream.end();
    await answer;
    expect(figures(server)).toEqual([
      ['apix.grpc.calls.active', 0],
      ['apix.grpc.calls', 'apix.testdata.Probe', 'BidiStream', 'OK', 1],
    ]);
  });
});

describe('when it is stopped, the server', () => {
  /** Streams that end when the test says so. */
  @Controller()
  class Held {
    static end: () => void = () => {};

    @GrpcMethod('Probe', 'ServerStream')
    stream(): Observable<object> {
      return new Observable((subscriber) => {
        subscriber.next({ stringValue: 'begun' });
        Held.end = () => {
          subscriber.next({ stringValue: 'done' });
          subscriber.complete();
        };
      });
    }
  }

  it('lets calls under way end, and takes no new ones', async () => {
    const host = await start(probeApp([Held]));
    const address = addressOf(host);
    const { stream, answer } = openCall(clientOf(address), ServerStream!);
    stream.end({});
    await new Promise((resolve) => stream.once('data', resolve));
    const stopped = host.stop();
    const late = await call(clientOf(address), Unary, [{}]);
    expect(late.status).toBe('UNAVAILABLE');
    Held.end();
    const { status, messages } = await answer;
    expect({ status, count: messages.length }).toEqual({ status: 'OK', count: 2 });
    expect(await stopped).toBeUndefined();
  });

  it('cuts off what is left at the deadline, and says so', async () => {
    const host = await start(probeApp([Held]), '200ms');
    const { stream, answer } = openCall(clientOf(addressOf(host)), ServerStream!);
    stream.end({});
    await new Promise((resolve) => stream.once('data', resolve));
    const begun = Date.now();
    const error = await host.stop();
    expect(String(error)).toContain('grpc: graceful shutdown timed out');
    expect(Date.now() - begun).toBeLessThan(1000);
    expect((await answer).status).toBe('CANCELLED');
  });
});

describe('with a main of its own', () => {
  let app: INestApplication | undefined;
  afterEach(() => app?.close());

  const serves = async (): Promise<string> => {
    const client = clientOf(app!.get(GrpcServer).address);
    return (await call(client, Unary, [{ stringValue: 'a' }])).status;
  };

  const create = async (...imports: NonNullable<ModuleMetadata['imports']>): Promise<void> => {
    @Module({ imports: [...imports, probeApp([ObservableController])] })
    class App {}
    app = await NestFactory.create(App, { logger: false, abortOnError: false });
  };
  const hosted = HostxModule.forRoot({ drain: { delay: 0 } });

  it.each([
    ['an app with HostxModule', [hosted], []],
    ['an app with HostxModule that starts its microservices', [hosted], ['start']],
    ['an app without a host that starts its microservices', [], ['start']],
  ])('%s serves after connectGrpc', async (_, imports, begin) => {
    await create(...imports);
    connectGrpc(app!);
    for (const _ of begin) await app!.startAllMicroservices();
    await app!.listen(0, '127.0.0.1');
    expect(await serves()).toBe('OK');
    await app!.close();
    expect(await serves()).toBe('UNAVAILABLE');
  });

  it('an app that forgets connectGrpc does not start', async () => {
    await create(hosted);
    await expect(app!.listen(0, '127.0.0.1')).rejects.toThrow('call connectGrpc(app) before init');
  });
});
