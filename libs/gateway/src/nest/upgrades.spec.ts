import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { HostxModule } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Get, type INestApplication, Module, Post } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../../tools/testing/until.js';
import { type EchoServer, TRANSCODING, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { POSTS, rawHttp, statusesIn } from '../fixtures/raw-http.fixture.js';
import { talk } from '../fixtures/talk.fixture.js';
import { webSockets } from '../http/websocket/web-sockets.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';
import { GatewayMetrics, GatewayModule } from './gateway.module.js';
import { GatewayServer } from './gateway-server.js';

@Controller()
class Beside {
  @Post('beside')
  beside(@Body() body: { str: string }) {
    return { str: `nest ${body.str}` };
  }
  @Get('later')
  later() {
    return { str: 'later' };
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

const protos = () =>
  ProtoModule.forRoot({ descriptors: new Uint8Array(readFileSync(TRANSCODING)) });
const namesIn = (text: string): string[] =>
  [...text.matchAll(/"str":"([^"]*)"/g)].map(([, name = '']) => name);
const later = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

function activeOf(metrics: GatewayMetrics): number | undefined {
  return [...metrics.metrics()].find(({ name }) => name === 'apix.gateway.requests.active')?.value;
}

describe.each(['Express', 'Fastify'] as const)(
  'an offer of h2c to a Nest app on %s',
  (platform) => {
    let app: INestApplication;
    afterEach(() => app.close());

    async function start(prepare: (server: Server) => void = () => {}): Promise<number> {
      @Module({
        imports: [
          protos(),
          GatewayModule.forRoot({
            endpoint: echo.endpoint,
            webSockets: webSockets({ admission: 1 }),
          }),
        ],
        controllers: [Beside],
      })
      class App {}
      const testing = await Test.createTestingModule({ imports: [App] }).compile();
      app = testing.createNestApplication(ADAPTERS[platform](), { logger: false });
      const server = app.getHttpServer() as Server;
      prepare(server);
      await app.listen(0, '127.0.0.1');
      return (server.address() as AddressInfo).port;
    }

    describe.each([
      ['of the gateway', '/v1/whole', 'first'],
      ['of a controller', '/beside', 'nest first'],
    ])('on a route %s', (_whose, path, first) => {
      it.each(POSTS)('a request that offers h2c keeps its body: %s', async (_how, packets) => {
        const client = await rawHttp(await start());
        const parts = packets(path, '{"str":"first"}');
        await client.send(...parts.slice(0, -1), `${parts.at(-1)}${later('/v1/query?str=second')}`);
        await client.until('"second"');
        await client.send(later('/later'));
        const text = await client.until('"later"');
        expect(namesIn(text)).toEqual([first, 'second', 'later']);
        expect(statusesIn(text).filter((status) => status !== 100)).toEqual([
          path === '/beside' ? 201 : 200,
          200,
          200,
        ]);
        await until(() => activeOf(app.get(GatewayMetrics)) === 0);
        client.socket.destroy();
      });
    });

    it('a request that offers h2c keeps its body in an app with a WebSocket gateway of Nest', async () => {
      // As Nest's adapter for ws does: it ends every connection whose path it does not know.
      const live = new WebSocketServer({ noServer: true });
      const port = await start((server) => {
        server.on('upgrade', (req, socket, head) => {
          if (req.url === '/live') live.handleUpgrade(req, socket, head, (ws) => ws.send('hello'));
          else socket.end('HTTP/1.1 400\r\n\r\n');
        });
      });
      const theirs = new WebSocket(`ws://127.0.0.1:${port}/live`);
      expect(String((await once(theirs, 'message'))[0])).toBe('hello');
      theirs.terminate();
      const { ws, closed } = await talk(port, '/v1/chat');
      ws.send('');
      expect(await closed).toEqual([1000, 'OK']);
      const client = await rawHttp(port);
      await client.send((POSTS[0]?.[1]('/beside', '{"str":"first"}')[0] ?? '') + later('/later'));
      expect(namesIn(await client.until('"later"'))).toEqual(['nest first', 'later']);
      client.socket.destroy();
    });
  },
);

describe('a Nest app on Fastify with http2: true', () => {
  it.each([
    ['the gateway', '/v1/whole', 200, 'body'],
    ['a controller', '/beside', 201, 'nest body'],
  ])('a body without a length reaches %s', async (_whose, path, status, str) => {
    @Module({
      imports: [
        protos(),
        GatewayModule.forRoot({ endpoint: echo.endpoint, webSockets: webSockets() }),
      ],
      controllers: [Beside],
    })
    class App {}
    const testing = await Test.createTestingModule({ imports: [App] }).compile();
    const adapter = new FastifyAdapter({ http2: true } as never);
    const app = testing.createNestApplication(adapter, { logger: false });
    await app.listen(0, '127.0.0.1');
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/json' };
    const stream = session.request(headers);
    stream.end('{"str":"body"}');
    const [{ ':status': answered }] = (await once(stream, 'response')) as [{ ':status': number }];
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    session.close();
    await app.close();
    expect([answered, JSON.parse(text)]).toEqual([status, { str }]);
  });
});

describe('an offer of h2c to the gateway on a port of its own', () => {
  async function start(http: GatewayModuleOptions['http']) {
    @Module({
      imports: [
        HostxModule.forRoot({}),
        protos(),
        GatewayModule.forRoot({
          endpoint: echo.endpoint,
          port: 0,
          host: '127.0.0.1',
          http: { drain: { delay: 0 }, ...http },
          webSockets: webSockets({ admission: 1 }),
        }),
      ],
    })
    class App {}
    const host = await startHost(App);
    const app = host.app!;
    return { host, app, port: Number(app.get(GatewayServer).addr.split(':').at(-1)) };
  }

  it.each(POSTS)(
    'a request that offers h2c keeps its body, and its connection drains: %s',
    async (_how, packets) => {
      const seen: string[] = [];
      const { host, port } = await start({
        withServer: (server) => server.on('request', (req) => seen.push(req.url ?? '')),
      });
      const client = await rawHttp(port);
      const parts = packets('/v1/whole', '{"str":"first"}');
      await client.send(...parts.slice(0, -1), `${parts.at(-1)}${later('/v1/query?str=second')}`);
      expect(namesIn(await client.until('"second"'))).toEqual(['first', 'second']);
      expect(seen).toEqual(['/v1/whole', '/v1/query?str=second']);
      await host.stop();
      await client.closed();
    },
  );

  it('a request that offers h2c is not cut off by a drain', async () => {
    const { host, app, port } = await start({ drain: { delay: 0, closeGrace: '1ms' } });
    const client = await rawHttp(port);
    const [head = '', body = '', rest = ''] = POSTS[4]?.[1]('/v1/whole', '{"str":"first"}') ?? [];
    await client.send(head);
    await until(() => activeOf(app.get(GatewayMetrics)) === 1);
    const stopped = host.stop();
    // Longer than a connection that was upgraded would be left.
    await new Promise((resolve) => setTimeout(resolve, 400));
    await client.send(body, rest);
    expect(namesIn(await client.closed())).toEqual(['first']);
    await stopped;
  });
});
