import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HostxModule } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Body,
  Controller,
  type DynamicModule,
  Get,
  type INestApplication,
  Module,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { config } from 'rxjs';
import type { OpenApiDocument } from '../openapi/document.js';
import { type EchoServer, TRANSCODING, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { describeBinding } from '../rules/binding.js';
import { GatewayConfigError } from '../errors.js';
import { ask } from '../fixtures/serve.fixture.js';
import { handshake, talk } from '../fixtures/talk.fixture.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayMetrics, GatewayModule } from './gateway.module.js';
import { GatewayRef } from './gateway-ref.js';
import { GatewayServer } from './gateway-server.js';

@Controller()
class Beside {
  @Get('metrics')
  metrics() {
    return { up: 1 };
  }
  @Post('v1/query')
  sameTemplate(@Body() body: unknown) {
    return { nest: body };
  }
}

const ADAPTERS = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
} as const;

let echo: EchoServer;
beforeAll(async () => {
  echo = await startEchoServer();
});
afterAll(() => echo.stop());

describe.each(['Express', 'Fastify'] as const)('GatewayModule on %s', (platform) => {
  let app: INestApplication;
  afterEach(() => app.close());

  async function start(options: GatewayModuleOptions): Promise<number> {
    @Module({
      imports: [
        ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
        GatewayModule.forRoot({ endpoint: echo.endpoint, ...options }),
        HealthModule.forRoot(),
      ],
      controllers: [Beside],
    })
    class App {}
    const testing = await Test.createTestingModule({ imports: [App] }).compile();
    app = testing.createNestApplication(ADAPTERS[platform](), { logger: false });
    await app.listen(0, '127.0.0.1');
    return ((app.getHttpServer() as Server).address() as AddressInfo).port;
  }

  it('serves the rules, bodies included, before the body parsers of Nest', async () => {
    const port = await start({});
    const big = { i64: '9007199254740993', str: 'x'.repeat(200_000) };
    const answer = await ask(port, '/v1/whole', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(big),
    });
    expect(answer.json).toEqual(big);
    expect((await ask(port, '/v1/path/one/a%2Fb')).json).toEqual({ str: 'a/b' });
  });

  it('leaves health, metrics and other routes of the app reachable beside a gateway at "/"', async () => {
    const port = await start({ mount: '/' });
    expect((await ask(port, '/healthz')).status).toBe(200);
    expect(await ask(port, '/readyz')).toMatchObject({
      status: 200,
      json: { checks: { gateway: 'ok' } },
    });
    expect((await ask(port, '/metrics')).json).toEqual({ up: 1 });
    const posted = await ask(port, '/v1/query', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    });
    expect(posted.json).toEqual({ nest: { a: 1 } });
    expect((await ask(port, '/nowhere')).status).toBe(404);
  });

  it('answers 404 and 405 itself below a mount path of its own', async () => {
    const port = await start({ mount: '/api' });
    expect((await ask(port, '/api/v1/query?str=a')).json).toEqual({ str: 'a' });
    const missing = await ask(port, '/api/nowhere');
    expect(missing).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    const wrong = await ask(port, '/api/v1/query', { method: 'PUT' });
    expect(wrong.status).toBe(405);
    expect(wrong.headers['allow']).toBe('GET, HEAD, OPTIONS');
    expect((await ask(port, '/metrics')).json).toEqual({ up: 1 });
    expect((await ask(port, '/apiary')).status).toBe(404);
  });

  it('runs middleware around its own paths, and only there', async () => {
    const port = await start({
      middleware: [
        (req, res, next) => {
          res.setHeader('access-control-allow-origin', '*');
          if (req.method === 'OPTIONS') res.writeHead(204).end();
          else next();
        },
      ],
    });
    const allowed = 'access-control-allow-origin';
    expect((await ask(port, '/v1/query')).headers[allowed]).toBe('*');
    expect((await ask(port, '/v1/query', { method: 'OPTIONS' })).status).toBe(204);
    expect((await ask(port, '/healthz')).headers[allowed]).toBeUndefined();
  });

  it.each(['/', '/api'])(
    'leaves the app its routes beside %s, with middleware too',
    async (mount) => {
      const port = await start({ mount, middleware: [(_req, _res, next) => next()] });
      expect((await ask(port, '/healthz')).status).toBe(200);
      expect((await ask(port, '/nowhere')).status).toBe(404);
    },
  );

  it('serves streams of requests over WebSockets, and closes them with 1001 as the app closes', async () => {
    const port = await start({ mount: '/api', webSockets: webSockets({ admission: 1 }) });
    const { ws, received, frames, closed } = await talk(port, '/api/v1/chat');
    ws.send('{"number":1}');
    await received(1);
    expect(frames).toEqual(['{"result":{"number":1}}']);
    expect((await handshake(port, '/api/v1/query')).status).toBe(200);
    expect((await handshake(port, '/healthz')).status).toBe(200);
    await app.close();
    expect(await closed).toEqual([1001, 'going away']);
  });

  it('serves its OpenAPI document where that was asked for', async () => {
    const port = await start({ mount: '/api', openapi: { path: '/openapi.json' } });
    const { headers, json } = await ask(port, '/openapi.json?x=1');
    expect(headers['content-type']).toBe('application/json');
    expect(json).toEqual(JSON.parse(JSON.stringify(app.get(GatewayRef).openapi())));
    expect((json as OpenApiDocument).paths).toHaveProperty(['/api/v1/query']);
  });

  it('tells its transport, whether the server can be reached, and what it served', async () => {
    const port = await start({});
    await ask(port, '/v1/query');
    await ask(port, '/v1/query?nope=1');
    const ref = app.get(GatewayRef);
    expect([ref.transport, ref.prefix]).toEqual(['network', '']);
    expect(ref.routes.map(describeBinding)).toContain(
      'transcoding.v1.EchoService/Query (GET /v1/query)',
    );
    const { checks } = (await ask(port, '/readyz')).json as { checks: object };
    expect(checks).toEqual({ gateway: 'ok' });
    expect(
      [...app.get(GatewayMetrics).metrics()].map(({ name, value, attributes }) => [
        name,
        value,
        attributes?.['status'],
      ]),
    ).toEqual([
      ['apix.gateway.requests.active', 0, undefined],
      ['apix.gateway.requests', 1, '200'],
      ['apix.gateway.requests', 1, '400'],
    ]);
  });
});

describe('GatewayModule', () => {
  const load = (options: GatewayModuleOptions, ...sources: Uint8Array[]) =>
    Test.createTestingModule({
      imports: [ProtoModule.forRoot({ descriptors: sources }), GatewayModule.forRoot(options)],
    });

  it('does not start without a server to call, and says what to do', async () => {
    const testing = await load({}, new Uint8Array(readFileSync(TRANSCODING))).compile();
    const app = testing.createNestApplication({ logger: false });
    await expect(app.init()).rejects.toThrow(/no gRPC server to call: import GrpcModule/);
  });

  it('does not start in an app without HTTP server unless it has a port', async () => {
    const testing = await load(
      { endpoint: echo.endpoint },
      new Uint8Array(readFileSync(TRANSCODING)),
    ).compile();
    await expect(testing.init()).rejects.toThrow(
      /^gateway: port: must be set, since this app has no HTTP server to mount into$/,
    );
  });

  it('says the same in an application context, without a further failure', async () => {
    const descriptors = new Uint8Array(readFileSync(TRANSCODING));
    @Module({
      imports: [
        ProtoModule.forRoot({ descriptors }),
        GatewayModule.forRoot({ endpoint: echo.endpoint }),
      ],
    })
    class App {}
    const failures: unknown[] = [];
    config.onUnhandledError = (error) => void failures.push(error);
    try {
      const created = NestFactory.createApplicationContext(App, {
        logger: false,
        abortOnError: false,
      });
      await expect(created).rejects.toThrow(
        /^gateway: port: must be set, since this app has no HTTP server to mount into$/,
      );
      // Such a failure comes in a turn of its own, where it ends the process.
      await new Promise((resolve) => setTimeout(resolve));
      expect(failures).toEqual([]);
    } finally {
      config.onUnhandledError = null;
    }
  });

  class Factory {
    createGatewayOptions(): GatewayModuleOptions {
      return { endpoint: echo.endpoint };
    }
  }

  @Module({ providers: [{ provide: 'asks', useFactory: (ref) => ref, inject: [GatewayRef] }] })
  class Elsewhere {}

  it.each<[string, () => DynamicModule]>([
    ['nothing', () => GatewayModule.forRoot()],
    ['options', () => GatewayModule.forRoot(new Factory().createGatewayOptions())],
    ['useFactory', () => GatewayModule.forRootAsync({ useFactory: () => ({ mount: '/' }) })],
    ['useClass', () => GatewayModule.forRootAsync({ useClass: Factory })],
  ])('made from %s is there for every module', async (_, make) => {
    const testing = await Test.createTestingModule({
      imports: [
        ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
        make(),
        Elsewhere,
      ],
    }).compile();
    expect(testing.get('asks', { strict: false })).toBeInstanceOf(GatewayRef);
  });

  it('is for the modules that import it with isGlobal: false', async () => {
    const testing = Test.createTestingModule({
      imports: [
        ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
        GatewayModule.forRoot({ isGlobal: false }),
        Elsewhere,
      ],
    });
    await expect(testing.compile()).rejects.toThrow(/can't resolve dependencies of the asks/);
  });

  it('reports what is wrong with options of its own together with the others', async () => {
    const wrong = {
      transport: 'pigeon',
      endpoint: '',
      port: 70_000,
      host: 5,
      openapi: { path: 'openapi.json' },
      mount: 'v1',
      timeout: 'soon',
      rules: [{ selector: 'nope' }],
    } as unknown as GatewayModuleOptions;
    const compiled = load(wrong, new Uint8Array(readFileSync(TRANSCODING))).compile();
    const error: unknown = await compiled.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayConfigError);
    const { mistakes } = error as GatewayConfigError;
    expect(mistakes.map((mistake) => mistake.slice(0, mistake.indexOf(':')))).toEqual([
      'rules',
      'endpoint',
      'transport',
      'port',
      'host',
      'openapi.path',
      'timeout',
      'mount',
    ]);
  });

  it.each([
    [{ trasport: 'network' }, 'trasport: is not known here; did you mean transport?'],
    [{ openapi: { pth: '/o.json' } }, 'openapi.pth: is not known here; did you mean path?'],
  ])('refuses the misspelt option in %j, however it is given', async (options, what) => {
    const wrong = options as GatewayModuleOptions;
    const set = new Uint8Array(readFileSync(TRANSCODING));
    await expect(load(wrong, set).compile()).rejects.toThrow(what);
    expect(() =>
      GatewayModule.forRootAsync({ useFactory: () => ({}), isGlobl: false } as object),
    ).toThrow('isGlobl: is not known here; did you mean isGlobal?');
  });

  it('takes options that are made asynchronously', async () => {
    const testing = await Test.createTestingModule({
      imports: [
        ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
        GatewayModule.forRootAsync({
          useFactory: () => Promise.resolve({ endpoint: echo.endpoint }),
        }),
      ],
    }).compile();
    const app = testing.createNestApplication({ logger: false });
    await app.init();
    expect(app.get(GatewayRef).transport).toBe('network');
    await app.close();
  });

  it('serves on a port of its own as a hosted service', async () => {
    @Module({
      imports: [
        HostxModule.forRoot({}),
        ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) }),
        GatewayModule.forRoot({
          endpoint: echo.endpoint,
          port: 0,
          host: '127.0.0.1',
          http: { drain: { delay: 0 } },
          webSockets: webSockets({ admission: 1 }),
        }),
      ],
      controllers: [Beside],
    })
    class App {}
    const host = await startHost(App);
    const port = Number(host.app?.get(GatewayServer).addr.split(':').at(-1));
    expect((await ask(port, '/v1/query?str=a')).json).toEqual({ str: 'a' });
    expect((await ask(port, '/healthz')).status).toBe(404);
    // The host looks on at upgrades too, and must not be taken for somebody who answers them.
    const upgrade = { connection: 'upgrade', upgrade: 'h2c' };
    expect((await ask(port, '/v1/query?str=b', { headers: upgrade })).json).toEqual({ str: 'b' });
    const { closed } = await talk(port, '/v1/chat');
    await host.stop();
    expect((await closed)[0]).toBe(1001);
    await expect(ask(port, '/v1/query')).rejects.toThrow(/ECONNREFUSED/);
  });
});
