import 'reflect-metadata';
import { once } from 'node:events';
import { type IncomingMessage, type Server, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GatewayModule } from '@apix/gateway';
import { HostxModule } from '@apix/hostx';
import { HealthModule, checkerFunc } from '@apix/hostx/health';
import { HostPageModule } from '@apix/host-page';
import { startHost } from '@apix/hostx/testing';
import { MetricsModule } from '@apix/otel';
import { type HttpLogOptions, LogxModule } from '@apix/logx';
import { type CollectingSink, collectingSink } from '@apix/logx/testing';
import { ProtoModule } from '@apix/proto';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { swaggerUi } from '@apix/swagger-ui/core';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NodeAdapter } from '../../../tools/testing/node-adapter/node-adapter.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const REQUEST = '{Method} {Path} -> {Status}';
const specs = [{ name: 'shop.json', document: { openapi: '3.1.0' } }];

/** Every endpoint for operators that a package of ours mounts, however it is mounted. */
const PROBES: readonly [string, number][] = [
  ['/healthz', 503],
  ['/readyz?verbose', 503],
  ['/startupz', 200],
  ['/metrics', 200],
  ['/openapi.json', 200],
  ['/docs', 200],
  ['/docs/shop.json', 200],
  ['/docs/nothing.js', 404],
  ['/raw-docs/shop.json', 200],
];
/** What they do not answer, and the host page, which has guards, are requests like any other. */
const OTHERS: readonly [string, number][] = [
  ['/host', 200],
  ['/healthz/x', 404],
  ['/raw-docs/nothing.js', 404],
];

function appOf(logged: CollectingSink, http: HttpLogOptions): Type {
  @Module({
    imports: [
      LogxModule.forRoot({ sinks: [logged], http }),
      HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
      HealthModule.forRoot({
        checks: [checkerFunc('db', () => Promise.reject(new Error('refused')))],
      }),
      MetricsModule.forRoot({}),
      ProtoModule.forRoot({ descriptors: PLAIN_SHOP }),
      GatewayModule.forRoot({
        endpoint: 'localhost:1',
        mount: '/api',
        openapi: { path: '/openapi.json' },
      }),
      SwaggerUiModule.forRoot({ specs }),
      HostPageModule.forRoot({ public: true }),
    ],
  })
  class App {}
  return App;
}

const PLATFORMS = {
  Express: () => new ExpressAdapter(),
  Fastify: () => new FastifyAdapter(),
  Node: () => new NodeAdapter(),
} as const;
type PlatformName = keyof typeof PLATFORMS;

let close: () => Promise<unknown> = () => Promise.resolve();
afterEach(() => close());

const MAINS = {
  async runHost(app: Type, platform: PlatformName, configure: (app: INestApplication) => void) {
    const started = await startHost(app, { adapter: PLATFORMS[platform](), configure });
    close = started.stop;
    return started.app!;
  },
  async 'a plain main'(
    module: Type,
    platform: PlatformName,
    configure: (app: INestApplication) => void,
  ) {
    const app = await NestFactory.create(module, PLATFORMS[platform](), { logger: false });
    configure(app);
    await app.listen(0, '127.0.0.1');
    close = () => app.close();
    return app;
  },
} as const;
type MainName = keyof typeof MAINS;

const PLACES = (['runHost', 'a plain main'] as const).flatMap((main) =>
  (['Express', 'Fastify'] as const).map((platform): [MainName, PlatformName] => [main, platform]),
);

describe.each(PLACES)('under %s on %s', (main, platform) => {
  /** What was answered to each request, and the paths and statuses of its events. */
  async function askAll(http: HttpLogOptions, before = '') {
    const logged = collectingSink();
    const mountRaw = (app: INestApplication): void => {
      app.use(swaggerUi({ path: '/raw-docs', specs }));
    };
    const app = await MAINS[main](appOf(logged, http), platform, mountRaw);
    const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
    const answers: [string, number][] = [];
    for (const [path] of [...PROBES, ...OTHERS, ['/last', 404] as const]) {
      answers.push([path, await statusOf(port, `${before}${path}`)]);
    }
    const events = (): [string, number][] =>
      [...logged.withTemplate(REQUEST)].map((event) => [
        event['Path'] as string,
        event['Status'] as number,
      ]);
    while (events().at(-1)?.[0] !== '/last') await new Promise((resolve) => setImmediate(resolve));
    return { answers: answers.slice(0, -1), events: events().slice(0, -1) };
  }

  async function statusOf(port: number, target: string): Promise<number> {
    const sent = get({ host: '127.0.0.1', port, path: target, agent: false });
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    await once(response.resume(), 'end');
    return response.statusCode!;
  }

  const withoutQuery = ([path, status]: readonly [string, number]): [string, number] => [
    path.split('?', 1)[0]!,
    status,
  ];

  it('skipProbes leaves no event of our own endpoints, well or not, and one of every other', async () => {
    const { answers, events } = await askAll({ skipProbes: true });
    expect(answers).toEqual([...PROBES, ...OTHERS]);
    expect(events).toEqual(OTHERS);
  });

  it('a target in absolute-form leads where its path does, and is logged as its path', async () => {
    const { answers, events } = await askAll({ skipProbes: true }, 'http://shop.test');
    expect(answers).toEqual([...PROBES, ...OTHERS]);
    expect(events).toEqual(OTHERS);
  });

  it('each of our own endpoints has one event by default', async () => {
    const { events } = await askAll({});
    expect(events).toEqual([...PROBES, ...OTHERS].map(withoutQuery));
  });
});
