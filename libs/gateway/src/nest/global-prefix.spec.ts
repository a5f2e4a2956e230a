import { HealthModule } from '@apix/hostx/health';
import { HostxModule } from '@apix/hostx';
import { HostPageModule } from '@apix/host-page';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type INestApplication, RequestMethod } from '@nestjs/common';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { PLATFORMS, startApp } from '../fixtures/nest-app.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { handshake, talk } from '../fixtures/talk.fixture.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import { GatewayRef } from './gateway-ref.js';

/** One path of each kind that an app with everything of ours serves. */
const PATHS = ['/own', '/v1/query?str=a', '/openapi.json', '/healthz', '/host', '/docs'];

type PrefixOptions = Parameters<INestApplication['setGlobalPrefix']>[1];

let echo: EchoServer;
let app: INestApplication;
beforeAll(async () => {
  echo = await startEchoServer();
});
afterEach(() => app.close());
afterAll(() => echo.stop());

describe.each(PLATFORMS)('the global prefix of an app on %s', (platform) => {
  async function start(prefix: string, options: PrefixOptions = {}, mount = '/') {
    const running = await startApp({
      platform,
      gateway: {
        endpoint: echo.endpoint,
        mount,
        openapi: { path: '/openapi.json' },
        webSockets: webSockets({ admission: 1 }),
      },
      module: {
        imports: [
          HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
          HealthModule.forRoot(),
          HostPageModule.forRoot({ public: true }),
          SwaggerUiModule.forRoot({ specs: [{ name: 'a.json', document: { openapi: '3.1.0' } }] }),
        ],
      },
      main: (it) => void it.setGlobalPrefix(prefix, options),
    });
    ({ app } = running);
    return running.port;
  }

  const statusesOf = async (port: number, paths: readonly string[]) =>
    Object.fromEntries(
      await Promise.all(paths.map(async (path) => [path, (await ask(port, path)).status] as const)),
    );
  const all = (paths: readonly string[], status: number) =>
    Object.fromEntries(paths.map((path) => [path, status]));

  it.each(['api', '/api/', '/api/v2'])('is before everything that we serve: %s', async (prefix) => {
    const port = await start(prefix);
    const below = PATHS.map((path) => `/${prefix.replaceAll(/^\/|\/$/g, '')}${path}`);
    expect(await statusesOf(port, below)).toEqual(all(below, 200));
    expect(await statusesOf(port, PATHS)).toEqual(all(PATHS, 404));
  });

  it('is before nothing that it excludes', async () => {
    const port = await start('api', {
      exclude: [
        'own',
        'v1/{*rest}',
        { path: 'openapi.json', method: RequestMethod.GET },
        'healthz',
        'host',
        'docs',
      ],
    });
    expect(await statusesOf(port, PATHS)).toEqual(all(PATHS, 200));
    const below = PATHS.map((path) => `/api${path}`);
    expect(await statusesOf(port, below)).toEqual(all(below, 404));
    expect(await statusesOf(port, ['/api/readyz', '/readyz'])).toEqual({
      '/api/readyz': 200,
      '/readyz': 404,
    });
  });

  it('excludes a rule by its method and its path, wildcards included', async () => {
    const port = await start('api', {
      exclude: [{ path: 'v1/path/:a/:b', method: RequestMethod.GET }],
    });
    expect((await ask(port, '/v1/path/one/a%2Fb')).json).toEqual({ str: 'a/b' });
    expect((await ask(port, '/api/v1/path/one/a')).status).toBe(404);
    expect((await ask(port, '/api/v1/query?str=a')).json).toEqual({ str: 'a' });
    const { paths } = app.get(GatewayRef).openapi();
    expect(Object.keys(paths)).toContain('/api/v1/query');
    expect(paths['/v1/path/one/{str}']).toHaveProperty('get');
    expect(paths['/api/v1/path/one/{str}']).not.toHaveProperty('get');
  });

  it("is before the mount path, which stays the gateway's own", async () => {
    const port = await start('api', {}, '/rest');
    expect(app.get(GatewayRef).prefix).toBe('/api/rest');
    expect((await ask(port, '/api/rest/v1/query?str=a')).json).toEqual({ str: 'a' });
    const missing = await ask(port, '/api/rest/nowhere');
    expect(missing).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
    expect((await ask(port, '/api/nowhere')).json).toMatchObject({ statusCode: 404 });
    expect((await ask(port, '/rest/v1/query')).status).toBe(404);
  });

  it('is before the paths of WebSockets', async () => {
    const port = await start('api');
    const { ws, closed } = await talk(port, '/api/v1/chat');
    ws.send('');
    expect(await closed).toEqual([1000, 'OK']);
    expect((await handshake(port, '/v1/chat')).status).toBe(404);
  });
});
