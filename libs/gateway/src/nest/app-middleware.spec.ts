import type { IncomingMessage, ServerResponse } from 'node:http';
import fastifyHelmet from '@fastify/helmet';
import fastifyRateLimit from '@fastify/rate-limit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  HttpException,
  type INestApplication,
  Injectable,
  type MiddlewareConsumer,
  type NestMiddleware,
  type NestModule,
  RequestMethod,
  UnauthorizedException,
} from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { rateLimit } from 'express-rate-limit';
import helmet from 'helmet';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { PLATFORMS, type Platform, startApp } from '../fixtures/nest-app.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { NodeAdapter } from '../../../../tools/testing/node-adapter/node-adapter.js';
import type { GatewayModuleOptions } from './gateway-module-options.js';

type Next = (error?: unknown) => void;

const JSON_BODY = { 'content-type': 'application/json' };
const BIG = { i64: '9007199254740993', str: 'x'.repeat(200_000) };

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

function protectByUse(it: INestApplication): void {
  it.use(helmet()).use(rateLimit({ limit: 3, validate: false }));
}

/** Helmet, and three requests a minute, as their documentation has it for each platform. */
const PROTECTED: Record<Platform, (app: INestApplication) => Promise<void> | void> = {
  Express: protectByUse,
  Node: protectByUse,
  Fastify: async (it) => {
    const fastify = it as NestFastifyApplication;
    await fastify.register(fastifyRateLimit, {
      max: 3,
      // Nest's filters make a 500 of an error that is none of theirs.
      errorResponseBuilder: () => new HttpException('slow down', 429),
    });
    // Without a wait, as many do.
    void fastify.register(fastifyHelmet);
  },
};

const PARSERS: Record<Platform, (app: INestApplication) => void> = {
  Node: (it) => void (it as NestExpressApplication).useBodyParser('json'),
  Express: (it) => void (it as NestExpressApplication).useBodyParser('json'),
  Fastify: (it) => void (it as NestFastifyApplication).useBodyParser('application/json'),
};

/** Adds its name to the header `x-way`. */
const waypoint = (name: string) => (_req: IncomingMessage, res: ServerResponse, next: Next) => {
  const before = res.getHeader('x-way');
  res.setHeader('x-way', before === undefined ? name : `${String(before)} ${name}`);
  next();
};

describe.each(PLATFORMS)('the middleware of an app on %s', (platform) => {
  async function start(plan: Omit<Parameters<typeof startApp>[0], 'platform'> = {}) {
    const gateway: GatewayModuleOptions = { endpoint: echo.endpoint, ...plan.gateway };
    const running = await startApp({ ...plan, platform, gateway });
    ({ app } = running);
    return running.port;
  }

  const post = (port: number, path: string) =>
    ask(port, path, { method: 'POST', headers: JSON_BODY, body: JSON.stringify(BIG) });

  it('runs for routes of the gateway, in the order of the app, and does not read their bodies', async () => {
    @Injectable()
    class OfClass implements NestMiddleware {
      use(req: IncomingMessage, res: ServerResponse, next: Next) {
        waypoint('class')(req, res, next);
      }
    }
    class Root implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        consumer.apply(waypoint('module'), OfClass).forRoutes('*');
        consumer
          .apply(waypoint('posts'))
          .forRoutes({ path: 'v1/whole', method: RequestMethod.POST });
        consumer.apply(waypoint('v1')).exclude('v1/query').forRoutes('v1/*rest');
        consumer.apply(waypoint('own')).forRoutes('own');
      }
    }
    const port = await start({
      root: Root,
      main: (it) => void it.use(waypoint('first')).use(waypoint('second')),
    });
    const answer = await post(port, '/v1/whole');
    expect(answer.json).toEqual(BIG);
    expect(answer.headers['x-way']).toBe('first second module class posts v1');
    const query = await ask(port, '/v1/query?str=a');
    expect(query.json).toEqual({ str: 'a' });
    expect(query.headers['x-way']).toBe('first second module class');
    expect((await ask(port, '/own')).headers['x-way']).toBe('first second module class own');
  });

  it('sets the headers of CORS on the preflight, the answer and an error', async () => {
    const port = await start({
      main: (it) => it.enableCors({ origin: 'https://shop.example', credentials: true }),
    });
    const origin = 'https://shop.example';
    const preflight = await ask(port, '/v1/whole', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    const answers = [
      preflight,
      await ask(port, '/v1/query?str=a', { headers: { origin } }),
      await ask(port, '/v1/query?nope=a', { headers: { origin } }),
      await ask(port, '/nowhere', { headers: { origin } }),
    ];
    expect(answers.map(({ headers }) => headers['access-control-allow-origin'])).toEqual(
      answers.map(() => origin),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 400, 404]);
  });

  it('sets the headers of CORS that the options of create ask for', async () => {
    const port = await start({ nest: { cors: true } });
    const headers = { origin: 'https://shop.example' };
    const answer = await ask(port, '/v1/query?str=a', { headers });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('sets the headers of helmet, and counts for a rate limit', async () => {
    const port = await start({ gateway: { mount: '/api' }, main: PROTECTED[platform] });
    const answers = [];
    for (const path of ['?str=a', '?nope=a', '/nowhere', '?str=b']) {
      answers.push(await ask(port, `/api/v1/query${path}`));
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 429]);
    for (const { headers } of answers) {
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['content-security-policy']).toContain("default-src 'self'");
    }
    // The limit is that of the app, and not one of the gateway.
    expect((await ask(port, '/own')).status).toBe(429);
  });

  it('may answer itself, and then nothing is called', async () => {
    const port = await start({
      main: (it) =>
        void it.use((_req: IncomingMessage, res: ServerResponse) => void res.writeHead(418).end()),
    });
    const before = echo.calls.length;
    expect((await post(port, '/v1/whole')).status).toBe(418);
    expect(echo.calls).toHaveLength(before);
  });

  it.each<[string, (req: IncomingMessage, res: ServerResponse, next: Next) => unknown, number]>([
    ['passes an error on', (_q, _s, next) => next(new UnauthorizedException('no')), 401],
    [
      'throws',
      () => {
        throw new UnauthorizedException('no');
      },
      401,
    ],
    ['rejects', () => Promise.reject(new UnauthorizedException('no')), 401],
  ])('that %s gets the answer of the app', async (_, middleware, status) => {
    class Root implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        consumer.apply(middleware as () => void).forRoutes('*');
      }
    }
    const port = await start({ root: Root });
    const answer = await post(port, '/v1/whole');
    expect(answer.status).toBe(status);
    expect(answer.json).toEqual((await ask(port, '/own')).json);
  });

  it('may take its time', async () => {
    const port = await start({
      main: (it) =>
        void it.use(async (_req: IncomingMessage, _res: ServerResponse, next: Next) => {
          await new Promise((resolve) => setImmediate(resolve));
          next();
        }),
    });
    expect((await post(port, '/v1/whole')).json).toEqual(BIG);
  });

  it.each([
    ['kept', 200],
    ['lost', 500],
  ] as const)('of a module may read bodies, whose bytes are %s', async (fate, status) => {
    class Root implements NestModule {
      configure(consumer: MiddlewareConsumer) {
        const read = async (req: IncomingMessage, _res: ServerResponse, next: Next) => {
          const chunks: Buffer[] = [];
          for await (const chunk of req) chunks.push(chunk as Buffer);
          if (fate === 'kept') Object.assign(req, { rawBody: Buffer.concat(chunks) });
          next();
        };
        consumer.apply(read).forRoutes('v1/whole');
      }
    }
    const port = await start({ root: Root });
    expect((await post(port, '/v1/whole')).status).toBe(status);
  });

  it.each<[string, Parameters<typeof startApp>[0]['nest'], boolean]>([
    ['the parsers of Nest', {}, false],
    ['rawBody', { rawBody: true }, false],
    ['no parsers', { bodyParser: false }, false],
    ['parsers of useBodyParser', { bodyParser: false }, true],
    ['parsers of useBodyParser and those of Nest', {}, true],
  ])('leaves bodies to the gateway with %s', async (_, nest, usesParser) => {
    const port = await start({
      nest: nest ?? {},
      main: (it) => {
        if (usesParser) PARSERS[platform](it);
      },
    });
    expect((await post(port, '/v1/whole')).json).toEqual(BIG);
    const wrong = await ask(port, '/v1/whole', { method: 'POST', headers: JSON_BODY, body: '{' });
    expect(wrong).toMatchObject({ status: 400, json: { code: 'INVALID_ARGUMENT' } });
  });
});

describe('middleware that writes another path', () => {
  it.each(['Express', 'Node'] as const)(
    'moves a request away from the gateway on %s',
    async (platform) => {
      const write = (to: string) => (req: IncomingMessage, _res: ServerResponse, next: Next) => {
        if (req.headers['x-to'] === to) req.url = to;
        next();
      };
      const running = await startApp({
        platform,
        gateway: { endpoint: echo.endpoint },
        main: (it) => void it.use(write('/own')).use(write('/v1/query')),
      });
      ({ app } = running);
      const before = echo.calls.length;
      const away = await ask(running.port, '/v1/query', { headers: { 'x-to': '/own' } });
      const into = await ask(running.port, '/own', { headers: { 'x-to': '/v1/query' } });
      expect([away.json, into.status, echo.calls.length]).toEqual([{ own: true }, 404, before]);
    },
  );
});

it('an adapter whose server is not of Node is refused at the start', async () => {
  class Foreign extends NodeAdapter {
    override getType() {
      return 'foreign';
    }
    override getHttpServer() {
      return { once() {}, address: () => null } as never;
    }
  }
  const started = startApp({
    platform: 'Node',
    adapter: new Foreign(),
    gateway: { endpoint: echo.endpoint },
    listens: false,
  });
  await expect(started).rejects.toThrow(
    /^gateway: port: must be set, since the server of the HTTP adapter "foreign" is not one of Node's$/,
  );
});
