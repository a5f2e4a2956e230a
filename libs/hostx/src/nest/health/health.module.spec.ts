import { type ServerResponse, request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { HEALTH_SOURCE, type HealthAnswer, type HealthSource } from '@apix/contracts';
import { untilAborted } from '@apix/contracts/internal';
import {
  type CanActivate,
  Controller,
  Get,
  type INestApplication,
  type INestApplicationContext,
  Inject,
  Injectable,
  type LoggerService,
  Module,
  type Type,
} from '@nestjs/common';
import {
  APP_GUARD,
  DiscoveryModule,
  DiscoveryService,
  HttpAdapterHost,
  NestFactory,
} from '@nestjs/core';
import type { MicroserviceOptions } from '@nestjs/microservices';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type HealthIndicatorResult,
  HealthIndicatorService,
  TerminusModule,
} from '@nestjs/terminus';
import { config } from 'rxjs';
import { NodeAdapter } from '../../../../../tools/testing/node-adapter/node-adapter.js';
import { checkerFunc, indicatorChecker } from '../../health/checker.js';
import { HealthRegistry } from '../../health/health-registry.js';
import { startHost } from '../../testing/start-host.js';
import { withNest } from '../../../../../tools/testing/nest-major.js';
import { HostRef } from '../host-ref.js';
import { HostedService } from '../hosted-service.decorator.js';
import { HostxModule } from '../hostx.module.js';
import { HealthModule } from './health.module.js';

/** What a path answers, by a connection of its own. */
function probe(app: INestApplication, path: string): Promise<readonly [number, unknown]> {
  const { port } = app.getHttpServer().address() as { port: number };
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = '';
      response.on('data', (data: Buffer) => (text += data.toString()));
      response.on('end', () => resolve([response.statusCode!, JSON.parse(text)]));
    })
      .on('error', reject)
      .end();
  });
}

async function statusOf(app: INestApplication, path: string): Promise<number> {
  const { port } = app.getHttpServer().address() as { port: number };
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`);
  return status;
}

@Controller()
class Catalogue {
  @Get('healthz') all() {
    return 'catalogue';
  }
}

@Injectable()
class DenyAll implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class GreedyRules {
  constructor(@Inject(DiscoveryService) readonly discovery: DiscoveryService) {}
}

/** Mounts itself as the gateway does at `/`, with what it needs, and leaves nothing to anybody. */
@Injectable()
class GreedyMount {
  constructor(
    @Inject(HttpAdapterHost) adapterHost: HttpAdapterHost,
    @Inject(GreedyRules) _rules: GreedyRules,
  ) {
    adapterHost.init$.subscribe(() => {
      adapterHost.httpAdapter.use((_request: unknown, response: ServerResponse) => {
        response.writeHead(418).end('"greedy"');
      });
    });
  }
}

@Module({ imports: [DiscoveryModule], providers: [GreedyMount, GreedyRules] })
class GreedyModule {}

@HostedService({ name: 'outbox', restart: { initialDelay: '1h', maxDelay: '1h' } })
class Outbox implements HealthSource {
  readonly [HEALTH_SOURCE] = true as const;
  fail = (_error: Error): void => {};
  backlog = 0;

  async start(signal: AbortSignal): Promise<void> {
    await Promise.race([
      untilAborted(signal),
      new Promise<never>((_, reject) => (this.fail = reject)),
    ]);
  }

  healthChecks() {
    const check = (): void => {
      if (this.backlog > 100) throw new Error(`${this.backlog} messages wait`);
    };
    return [{ name: 'backlog', affects: 'ready', check } as const];
  }
}

/** What an indicator of terminus 12 can say besides. */
interface NewerSession {
  degraded(data: string): HealthIndicatorResult;
  attempt(work: () => void): { withTimeout(ms: number): Promise<HealthIndicatorResult> };
}

const isNewer = (session: object): session is NewerSession => 'degraded' in session;

class TerminusLog implements LoggerService {
  readonly errors: string[] = [];
  log() {}
  warn() {}
  error(message: string) {
    this.errors.push(message);
  }
}

const platforms: [string, () => object][] = [
  ['Express', () => ({})],
  ['Fastify', () => ({ adapter: new FastifyAdapter() })],
  ['an adapter of another type', () => ({ adapter: new NodeAdapter() })],
];

describe.each(platforms)('HealthModule on %s', (_, platform) => {
  it('answers before guards and routes of the app', async () => {
    @Module({
      imports: [HealthModule.forRoot({ checks: [checkerFunc('disk', () => {})] })],
      controllers: [Catalogue],
      providers: [{ provide: APP_GUARD, useClass: DenyAll }],
    })
    class App {}
    const { app } = await startHost(App, platform());
    expect(await probe(app!, '/healthz')).toEqual([200, { status: 'ok', checks: { disk: 'ok' } }]);
    expect(await probe(app!, '/readyz')).toEqual([
      200,
      { status: 'ok', checks: { disk: 'ok', 'service http': 'ok' } },
    ]);
    expect(await probe(app!, '/startupz')).toEqual([
      200,
      { status: 'ok', checks: { startup: 'ok' } },
    ]);
  });

  it('lies below the global prefix, but for the paths that this excludes', async () => {
    @Module({ imports: [HealthModule.forRoot({ livePath: '/ops/live' })] })
    class App {}
    const { app } = await startHost(App, {
      ...platform(),
      configure: (app) => void app.setGlobalPrefix('api', { exclude: ['ops/{*path}'] }),
    });
    expect((await probe(app!, '/ops/live'))[0]).toBe(200);
    expect((await probe(app!, '/api/readyz'))[0]).toBe(200);
    expect(await statusOf(app!, '/api/ops/live')).toBe(404);
    expect(await statusOf(app!, '/readyz')).toBe(404);
  });

  it.each([
    ['before', (health: object) => [health, GreedyModule]],
    ['after', (health: object) => [GreedyModule, health]],
  ])('stays reachable beside a gateway at / when imported %s it', async (_, order) => {
    const health = HealthModule.forRootAsync({
      useFactory: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { livePath: '/live' };
      },
    });
    @Module({ imports: order(health) as Type[] })
    class App {}
    const { app } = await startHost(App, platform());
    expect((await probe(app!, '/live'))[0]).toBe(200);
    expect(await probe(app!, '/healthz')).toEqual([418, 'greedy']);
  });

  it('is unready while a service is in backoff, and says so without HostxModule too', async () => {
    @Module({ imports: [HealthModule.forRoot()], providers: [Outbox] })
    class App {}
    const { app, host } = await startHost(App, platform());
    const outbox = app!.get(Outbox);
    outbox.fail(new Error('queue lost'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(host.state.services[0]!.state).toBe('backoff');
    expect(await probe(app!, '/readyz')).toEqual([
      503,
      {
        status: 'unhealthy',
        checks: {
          backlog: 'ok',
          'service outbox': 'restarting: hostx: service outbox: queue lost',
          'service http': 'ok',
        },
      },
    ]);
    expect((await probe(app!, '/healthz'))[0]).toBe(200);
  });

  it('is unhealthy where a check or a source returns that it is not well', async () => {
    @Injectable()
    class Db implements HealthSource {
      readonly [HEALTH_SOURCE] = true as const;
      constructor(@Inject(HealthIndicatorService) readonly indicators: HealthIndicatorService) {}
      healthChecks() {
        const check = (): HealthAnswer => this.indicators.check('db').down({ message: 'refused' });
        return [{ name: 'source', affects: 'ready', check } as const];
      }
    }
    @Module({
      imports: [
        TerminusModule,
        HealthModule.forRoot({
          checks: [
            checkerFunc('disk', () => false),
            checkerFunc('cache', () => Promise.resolve({ cache: { status: 'down' } })),
            { name: 'bare', affects: 'live', check: () => false },
            checkerFunc('fine', () => true),
          ],
        }),
      ],
      providers: [Db],
    })
    class App {}
    const { app } = await startHost(App, platform());
    const live = {
      disk: 'the check returned false',
      cache: 'cache is down',
      bare: 'the check returned false',
      fine: 'ok',
    };
    expect(await probe(app!, '/healthz')).toEqual([503, { status: 'unhealthy', checks: live }]);
    expect(await probe(app!, '/readyz')).toEqual([
      503,
      { status: 'unhealthy', checks: { ...live, source: 'refused', 'service http': 'ok' } },
    ]);
  });

  it('asks the health sources among the providers, each once', async () => {
    @Module({ imports: [HostxModule.forRoot({}), HealthModule.forRoot()], providers: [Outbox] })
    class App {}
    const { app } = await startHost(App, platform());
    const ready = async () => (await probe(app!, '/readyz'))[1];
    expect(await ready()).toEqual({
      status: 'ok',
      checks: { backlog: 'ok', 'service outbox': 'ok', 'service http': 'ok' },
    });
    app!.get(Outbox).backlog = 101;
    expect(await ready()).toMatchObject({ checks: { backlog: '101 messages wait' } });
  });

  it('turns readiness off as soon as the host is asked to stop, and serves on', async () => {
    @Module({ imports: [HostxModule.forRoot({}), HealthModule.forRoot({ details: false })] })
    class App {}
    const { app, stop } = await startHost(App, {
      ...platform(),
      drain: { delay: '200ms' },
    });
    app!.get(HostRef).shutdown();
    expect(await probe(app!, '/readyz')).toEqual([503, { status: 'unhealthy', checks: {} }]);
    expect(await probe(app!, '/healthz')).toEqual([200, { status: 'ok', checks: {} }]);
    expect(await stop()).toBeUndefined();
  });
});

describe('HealthModule with terminus', () => {
  it('runs indicators as checkers, by the service and logger the app configured', async () => {
    const newer: boolean[] = [];
    const logger = new TerminusLog();
    class Log extends TerminusLog {
      override readonly errors = logger.errors;
    }
    @Module({
      imports: [
        TerminusModule.forRoot({ logger: Log, errorLogStyle: 'json' }),
        HealthModule.forRootAsync({
          imports: [TerminusModule],
          inject: [HealthIndicatorService],
          useFactory: (indicators: HealthIndicatorService) => ({
            checks: [
              indicatorChecker('db', () => indicators.check('db').down('refused')),
              indicatorChecker('slow', () => {
                const session = indicators.check('slow');
                return isNewer(session) ? session.degraded('hm') : session.up('hm');
              }),
              indicatorChecker('fine', () => {
                const session = indicators.check('fine');
                newer.push(isNewer(session));
                return isNewer(session)
                  ? session.attempt(() => {}).withTimeout(1_000)
                  : session.up();
              }),
            ],
          }),
        }),
      ],
    })
    class App {}
    const { app } = await startHost(App);
    expect(await probe(app!, '/healthz')).toEqual([
      503,
      { status: 'unhealthy', checks: { db: 'refused', slow: 'ok', fine: 'ok' } },
    ]);
    expect(newer).toEqual([withNest({ 11: false, 12: true })]);
    expect(logger.errors.join()).toContain('"db":{"status":"down","message":"refused"}');
  });

  it('logs no failure for being unready because the host is stopping', async () => {
    const errors: string[] = [];
    class Log extends TerminusLog {
      override readonly errors = errors;
    }
    @Module({
      imports: [
        TerminusModule.forRoot({ logger: Log }),
        HostxModule.forRoot({}),
        HealthModule.forRoot(),
      ],
    })
    class App {}
    const { app } = await startHost(App, { drain: { delay: '100ms' } });
    app!.get(HostRef).shutdown();
    expect((await probe(app!, '/readyz'))[0]).toBe(503);
    expect(errors).toEqual([]);
  });
});

describe('the registry of HealthModule', () => {
  @Injectable()
  class Shop {
    constructor(@Inject(HealthRegistry) readonly registry: HealthRegistry) {}
  }

  @Module({ providers: [Shop], exports: [Shop] })
  class ShopModule {}

  it('is there for every module, or for those that import it', async () => {
    @Module({ imports: [HealthModule.forRoot(), ShopModule] })
    class App {}
    @Module({ imports: [HealthModule.forRoot({ isGlobal: false }), ShopModule] })
    class Apart {}
    const quiet = { logger: false, abortOnError: false } as const;
    const app = await NestFactory.createApplicationContext(App, quiet);
    expect(app.get(Shop).registry).toBe(app.get(HealthRegistry));
    await app.close();
    await expect(NestFactory.createApplicationContext(Apart, quiet)).rejects.toThrow(
      /can't resolve dependencies of the Shop/,
    );
  });
});

describe('HealthModule without a server of HTTP', () => {
  const quiet = { logger: false, abortOnError: false } as const;

  @Module({ imports: [HealthModule.forRoot()] })
  class App {}

  it.each<[string, () => Promise<INestApplicationContext>]>([
    ['an application context', () => NestFactory.createApplicationContext(App, quiet)],
    [
      'a microservice',
      async () => (await NestFactory.createMicroservice<MicroserviceOptions>(App, quiet)).init(),
    ],
  ])('has its registry, and nothing fails: %s', async (_what, create) => {
    const failures: unknown[] = [];
    config.onUnhandledError = (error) => void failures.push(error);
    try {
      const app = await create();
      expect(app.get(HealthRegistry).isReady).toBe(true);
      await app.close();
      // Such a failure comes in a turn of its own, where it ends the process.
      await new Promise((resolve) => setTimeout(resolve));
      expect(failures).toEqual([]);
    } finally {
      config.onUnhandledError = null;
    }
  });
});

describe('HealthModule without a host', () => {
  it('is ready once Nest has bootstrapped, until it closes', async () => {
    @Module({ imports: [HealthModule.forRoot()] })
    class App {}
    const app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), {
      logger: false,
    });
    const registry = app.get(HealthRegistry);
    expect(registry.isReady).toBe(false);
    await app.listen(0, '127.0.0.1');
    expect((await probe(app, '/readyz'))[0]).toBe(200);
    await app.close();
    expect(registry.isReady).toBe(false);
  });

  it('is not ready before it says so itself, if it is to', async () => {
    @Module({ imports: [HealthModule.forRoot({ readyWithNest: false })] })
    class App {}
    const app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), {
      logger: false,
    });
    await app.listen(0, '127.0.0.1');
    expect((await probe(app, '/readyz'))[0]).toBe(503);
    expect((await probe(app, '/healthz'))[0]).toBe(200);
    app.get(HealthRegistry).setReady(true);
    expect((await probe(app, '/readyz'))[0]).toBe(200);
    await app.close();
    expect(app.get(HealthRegistry).isReady).toBe(false);
  });

  it('follows the host of an app with a plain main', async () => {
    @Module({
      imports: [HostxModule.forRoot({ logger: null, drain: { delay: 0 } }), HealthModule.forRoot()],
      providers: [Outbox],
    })
    class App {}
    const app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    const ref = app.get(HostRef);
    await untilRunning(ref);
    expect(await probe(app, '/readyz')).toEqual([
      200,
      { status: 'ok', checks: { backlog: 'ok', 'service outbox': 'ok', 'service http': 'ok' } },
    ]);
    await app.close();
    expect(app.get(HealthRegistry).isReady).toBe(false);
  });

  it('refuses to start with a mistake in its options', async () => {
    @Module({ imports: [HealthModule.forRoot({ readyPath: 'readyz' })] })
    class App {}
    await expect(startHost(App)).rejects.toThrow(
      'hostx: health: readyPath: "readyz" is not a path: it must start with "/"',
    );
  });
});

async function untilRunning(ref: HostRef): Promise<void> {
  while (ref.state.phase !== 'running') await new Promise((resolve) => setImmediate(resolve));
}
