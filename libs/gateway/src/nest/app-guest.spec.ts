import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  type MiddlewareConsumer,
  Module,
  Param,
  VersioningType,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import helmet from 'helmet';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import {
  ADAPTERS,
  PLATFORMS,
  type Platform,
  gatewayImports,
  startApp,
} from '../fixtures/nest-app.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';

type Next = () => void;

const JSON_BODY = { 'content-type': 'application/json' };

@Controller({ path: 'versioned', version: '2' })
class Versioned {
  @Get(':id')
  get(@Param('id') id: string) {
    return { id };
  }
}

const seen =
  (name: string, way: string[]) => (_req: IncomingMessage, res: ServerResponse, next: Next) => {
    way.push(name);
    res.setHeader('x-way', way.join(' '));
    next();
  };

let echo: EchoServer;
const apps: INestApplication[] = [];
beforeAll(async () => {
  echo = await startEchoServer();
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});
afterAll(() => echo.stop());

describe.each(PLATFORMS)('next to a gateway, an app on %s', (platform: Platform) => {
  async function answersOf(gateway?: GatewayModuleOptions) {
    const way: string[] = [];
    class Root {
      configure(consumer: MiddlewareConsumer) {
        consumer.apply(seen('module', way)).forRoutes('*');
      }
    }
    const { app, port } = await startApp({
      platform,
      gateway,
      root: Root,
      module: { controllers: [Versioned] },
      main: (it) => {
        it.use(helmet()).use(seen('main', way));
        it.enableCors();
        it.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
      },
    });
    apps.push(app);
    const requests: [path: string, options?: Parameters<typeof ask>[2]][] = [
      ['/own'],
      ['/own', { method: 'HEAD' }],
      [
        '/own',
        { method: 'OPTIONS', headers: { origin: 'x', 'access-control-request-method': 'GET' } },
      ],
      ['/own', { method: 'POST', headers: JSON_BODY, body: '{"a":1}' }],
      ['/own', { method: 'POST', headers: JSON_BODY, body: '{' }],
      ['/own', { method: 'POST', headers: JSON_BODY, body: JSON.stringify('x'.repeat(2_000_000)) }],
      ['/own', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'a' }],
      ['/own', { method: 'DELETE' }],
      ['/versioned/a', { headers: { 'x-version': '2' } }],
      ['/versioned/a', { headers: { 'x-version': '1' } }],
      ['/versioned/%zz', { headers: { 'x-version': '2' } }],
      ['/nowhere'],
      ['/nowhere', { method: 'POST', headers: JSON_BODY, body: '{' }],
      ['/nowhere', { method: 'PROPFIND', headers: JSON_BODY, body: '{' }],
      ['/v1/query/more', { method: 'POST', headers: JSON_BODY, body: '{}' }],
      ['/v1/query', { method: 'PROPFIND' }],
    ];
    const answers = [];
    for (const [path, options] of requests) {
      way.length = 0;
      const { status, headers, text } = await ask(port, path, options);
      const { date: _, etag: __, ...others } = headers;
      answers.push({ path, status, headers: others, text });
    }
    return answers;
  }

  it('answers for its own routes and unknown paths as it does without one', async () => {
    const without = await answersOf();
    const beside = await answersOf({ endpoint: echo.endpoint });
    expect(beside).toEqual(without);
    expect(without.filter(({ status }) => status < 300)).not.toHaveLength(0);
  });

  it('is served after init alone, as tests of an app do', async () => {
    const { app } = await startApp({
      platform,
      gateway: { endpoint: echo.endpoint },
      main: (it) => void it.use(helmet()),
      listens: false,
    });
    apps.push(app);
    const server = app.getHttpServer() as Server;
    for (const _ of ['first', 'second']) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const answer = await ask(port, '/v1/query?str=a');
      expect(answer.json).toEqual({ str: 'a' });
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      server.close();
      await once(server, 'close');
    }
  });

  it('runs its middleware under runHost too', async () => {
    @Module({ imports: [HostxModule.forRoot({}), ...gatewayImports({ endpoint: echo.endpoint })] })
    class App {}
    const host = await startHost(App, {
      adapter: ADAPTERS[platform](),
      configure: (it) => void it.use(helmet()),
    });
    const { port } = (host.app!.getHttpServer() as Server).address() as AddressInfo;
    const answer = await ask(port, '/v1/query?str=a');
    await host.stop();
    expect(answer.json).toEqual({ str: 'a' });
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('may have two gateways, asked in the order of their modules', async () => {
    const way: string[] = [];
    class Root {
      configure(consumer: MiddlewareConsumer) {
        consumer.apply(seen('module', way)).forRoutes('*');
      }
    }
    const note = (name: string) => (_req: unknown, _res: unknown, next: Next) => {
      way.push(name);
      next();
    };
    const { app, port } = await startApp({
      platform,
      root: Root,
      module: {
        imports: [
          ...gatewayImports({ endpoint: echo.endpoint, mount: '/a', middleware: [note('a')] }),
          ...gatewayImports({ endpoint: echo.endpoint, mount: '/b', middleware: [note('b')] }),
        ],
      },
    });
    apps.push(app);
    for (const path of ['/a/v1/query?str=x', '/b/v1/query?str=x']) {
      expect((await ask(port, path)).json).toEqual({ str: 'x' });
    }
    expect(way).toEqual(['module', 'a', 'module', 'b']);
    expect(Object.hasOwn(app.getHttpAdapter(), 'createMiddlewareFactory')).toBe(false);
    expect((await ask(port, '/own')).json).toEqual({ own: true });
  });
});

it('on Fastify with http2: true, helmet runs for routes of the gateway', async () => {
  const { app, port } = await startApp({
    platform: 'Fastify',
    adapter: new FastifyAdapter({ http2: true } as never) as never,
    gateway: { endpoint: echo.endpoint },
    main: (it) => void it.use(helmet()),
  });
  apps.push(app);
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const stream = session.request({ ':path': '/v1/query?str=a' });
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
  stream.resume();
  await once(stream, 'end');
  session.close();
  expect(headers).toMatchObject({ ':status': 200, 'x-content-type-options': 'nosniff' });
});
