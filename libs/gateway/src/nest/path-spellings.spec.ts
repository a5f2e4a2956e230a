import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  type INestApplication,
  type MiddlewareConsumer,
  RequestMethod,
} from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import express from 'express';
import { withNest } from '../../../../tools/testing/nest-major.js';
import { type EchoServer, startEchoServer } from '../fixtures/echo-server.fixture.js';
import { PLATFORMS, type Platform, startApp } from '../fixtures/nest-app.fixture.js';
import { spellingsOf } from '../fixtures/path-spellings.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';

type Work = (req: IncomingMessage, res: ServerResponse, next: () => void) => void;

const RULES = [
  {
    selector: 'transcoding.v1.EchoService.Path',
    get: '/v1/reports',
    additionalBindings: [
      { get: '/v1/reports/{str}' },
      { get: '/v1/reports/{str}:archive' },
      { get: '/v1/{str=files/*}' },
      { get: '/v1/caf%C3%A9/@me' },
      { get: '/v1/open' },
    ],
  },
];

/** A path of each rule that the middleware guards. */
const GUARDED = [
  '/v1/reports',
  '/v1/reports/7',
  '/v1/reports/7:archive',
  '/v1/files/a',
  '/v1/caf%C3%A9/@me',
];

/** As Express matches it, and as Fastify does. */
const CAFE = ['caf%C3%A9/@me', 'café/@me'];

@Controller(['v1', 'api/v1'])
class Reports {
  @Get(['reports', 'reports/:id', 'files/:id', ...CAFE])
  get() {
    return { controller: true };
  }
}

const GET = RequestMethod.GET;
const under = (at: string, ...paths: string[]): string[] => paths.map((path) => `${at}v1/${path}`);

/** The ways in which an app says which paths its middleware is for; `at` is where the gateway is. */
const GUARDS: Record<string, (it: MiddlewareConsumer, work: Work, at: string) => unknown> = {
  strings: (it, work, at) =>
    it.apply(work).forRoutes(...under(at, 'reports', 'reports/*rest', 'files/*rest', ...CAFE)),
  'paths and methods': (it, work, at) => {
    const paths = under(at, 'reports', 'reports/:id', 'files/:id', ...CAFE);
    it.apply(work).forRoutes(...paths.map((path) => ({ path, method: GET })));
  },
  'a wildcard': (it, work, at) => it.apply(work).forRoutes(...under(at, '*path')),
  'everything but an excluded path': (it, work, at) => {
    const [path = ''] = under(at, 'open');
    it.apply(work).exclude({ path, method: GET }).forRoutes('{*path}');
  },
  'a controller': (it, work) => it.apply(work).forRoutes(Reports),
};

/** Where the gateway is, and how the paths of middleware begin in modules and in `main.ts`. */
const PLACES = {
  'at the root': { mount: '/', prefix: undefined, modules: '', main: '' },
  'at a mount path': { mount: '/api', prefix: undefined, modules: 'api/', main: '/api' },
  'below a global prefix': { mount: '/', prefix: 'api', modules: '', main: '/api' },
};

/** The one of `main.ts`. */
const BY_USE = 'the path of app.use';

const refuse: Work = (_req, res) => void res.writeHead(403).end();

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

interface Plan {
  readonly platform: Platform;
  readonly place: keyof typeof PLACES;
  readonly guard: string;
  readonly work?: Work;
}

async function start({ platform, place, guard, work = refuse }: Plan) {
  const { mount, prefix, modules, main } = PLACES[place];
  class Root {
    configure(consumer: MiddlewareConsumer) {
      GUARDS[guard]?.(consumer, work, modules);
    }
  }
  const running = await startApp({
    platform,
    root: Root,
    gateway: { endpoint: echo.endpoint, mount, rules: RULES },
    module: { controllers: [Reports] },
    main: (it) => {
      if (prefix !== undefined) it.setGlobalPrefix(prefix);
      if (guard === BY_USE) it.use(`${main}/v1`, work);
    },
  });
  ({ app } = running);
  return { port: running.port, at: (path: string) => main + path };
}

/** The targets at which an RPC was reached although the middleware, which refuses all, did not run. */
async function passedBy(port: number, targets: readonly string[]): Promise<string[]> {
  const passed: string[] = [];
  for (const target of targets) {
    const before = echo.calls.length;
    await ask(port, target).catch(() => undefined);
    if (echo.calls.length > before) passed.push(target);
  }
  return passed;
}

describe.each(PLATFORMS)('on %s', (platform) => {
  describe.each(Object.keys(PLACES) as (keyof typeof PLACES)[])('%s', (place) => {
    it.each([...Object.keys(GUARDS), BY_USE])(
      'no spelling of a path passes by middleware for %s and reaches an RPC',
      async (guard) => {
        const { port, at } = await start({ platform, place, guard });
        for (const path of GUARDED) {
          for (const method of withNest({ 11: ['GET'], 12: ['GET', 'HEAD'] })) {
            expect([path, (await ask(port, at(path), { method })).status]).toEqual([path, 403]);
          }
        }
        const targets = GUARDED.flatMap((path) => spellingsOf(at(path)));
        expect(await passedBy(port, targets)).toEqual([]);
      },
      60_000,
    );
  });

  it.each(['v1/reports/top-secret', 'v1/reports/7', 'v1/files/a'])(
    'no spelling of the value of a variable passes by middleware for %s',
    async (path) => {
      class Root {
        configure(consumer: MiddlewareConsumer) {
          consumer.apply(refuse).forRoutes(path);
        }
      }
      const gateway = { endpoint: echo.endpoint, rules: RULES };
      const running = await startApp({ platform, root: Root, gateway });
      ({ app } = running);
      const values: unknown[] = [];
      for (const target of spellingsOf(`/${path}`)) {
        const answer = await ask(running.port, target).catch(() => undefined);
        values.push((answer?.json as { str?: string } | undefined)?.str);
      }
      expect(values).not.toContain(path.replace('v1/', '').replace('reports/', ''));
      expect(values.filter((value) => value !== undefined)).not.toHaveLength(0);
    },
  );

  it('clients that encode what has to be encoded are served, past middleware that lets them', async () => {
    const { port } = await start({
      platform,
      place: 'at the root',
      guard: 'a wildcard',
      work: (_req, res, next) => {
        res.setHeader('x-ran', 'yes');
        next();
      },
    });
    for (const [path, str] of [
      ['/v1/reports/a%20b', 'a b'],
      ['/v1/reports/a%2Fb', 'a/b'],
      ['/v1/reports/%7Ea%2db', '~a-b'],
      ["/v1/reports/it's", "it's"],
      ['/v1/reports/7:', '7:'],
      ['/v1/reports/urn:x', 'urn:x'],
      ['/v1/reports/a;b', 'a;b'],
      ['/v1/reports/7:archive', '7'],
      ['/v1/reports/a%3Aarchive', 'a:archive'],
      ['/v1/files/a%2Fb', 'files/a%2Fb'],
      ['http://shop.test/v1/reports/7?i32=0', '7'],
    ] as const) {
      const { json, headers } = await ask(port, path);
      expect([path, json, headers['x-ran']]).toEqual([path, { str }, 'yes']);
    }
  });
});

it('no spelling of a value passes by middleware that an Express had before Nest', async () => {
  const made = express().use('/v1/reports/7', refuse);
  const running = await startApp({
    platform: 'Express',
    adapter: new ExpressAdapter(made),
    gateway: { endpoint: echo.endpoint, rules: RULES },
  });
  ({ app } = running);
  expect((await ask(running.port, '/v1/reports/%37')).status).toBe(403);
  expect((await ask(running.port, '/v1/reports/%38')).json).toEqual({ str: '8' });
});
