import { type IncomingMessage, request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  HEALTH_SOURCE,
  type HealthSource,
  JOB_SOURCE,
  type JobSource,
  type JobState,
  METRIC_SOURCE,
  type MetricSource,
} from '@apix/contracts';
import { fakeClock } from '@apix/contracts/testing';
import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  Module,
  SetMetadata,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { untilAborted } from '../../outcome.js';
import type { PageView } from '../../page/page-view.js';
import { startHost } from '../../testing/start-host.js';
import { HealthModule } from '../health/health.module.js';
import { HostedService } from '../hosted-service.decorator.js';
import { HostxModule } from '../hostx.module.js';
import {
  type HostPageAccess,
  HostPageModule,
  type HostPageModuleOptions,
} from './host-page.module.js';

/** The views that a stream has sent so far, and how it ends. */
interface Streaming {
  readonly response: IncomingMessage;
  readonly views: PageView[];
  readonly next: (is: (view: PageView) => boolean) => Promise<PageView>;
  readonly ended: Promise<void>;
}

function portOf(app: INestApplication): number {
  return (app.getHttpServer().address() as { port: number }).port;
}

function get(
  app: INestApplication,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: portOf(app), path, headers, agent: false }, resolve)
      .on('error', reject)
      .end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return text;
}

async function follow(app: INestApplication, path = '/host/stream'): Promise<Streaming> {
  const response = await get(app, path);
  const views: PageView[] = [];
  const waiting = new Set<() => void>();
  let rest = '';
  response.on('data', (data: Buffer) => {
    const parts = (rest + data.toString()).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts.filter((it) => it.startsWith('data: '))) {
      views.push(JSON.parse(part.slice(6)) as PageView);
    }
    for (const look of waiting) look();
  });
  return {
    response,
    views,
    ended: new Promise((resolve, reject) => {
      response.on('end', resolve);
      response.on('error', reject);
    }),
    next: (is) =>
      new Promise((resolve) => {
        const look = (): void => {
          const view = views.find(is);
          if (view === undefined) return;
          waiting.delete(look);
          resolve(view);
        };
        waiting.add(look);
        look();
      }),
  };
}

@Injectable()
class KeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
    return headers['x-key'] === 'open';
  }
}

@HostedService({ name: 'outbox', restart: { initialDelay: '1h', maxDelay: '1h' } })
class Outbox implements HealthSource, MetricSource {
  readonly [HEALTH_SOURCE] = true as const;
  readonly [METRIC_SOURCE] = true as const;
  crash = (_error: Error): void => {};

  async start(signal: AbortSignal): Promise<void> {
    await Promise.race([
      untilAborted(signal),
      new Promise<never>((_, reject) => (this.crash = reject)),
    ]);
  }

  healthChecks() {
    return [{ name: 'backlog', affects: 'ready', check: () => {} } as const];
  }

  *metrics() {
    yield {
      name: 'outbox.sent',
      kind: 'counter',
      value: 12,
      unit: 'By',
      description: 'Sent',
      attributes: { to: 'shop', by: 'mail' },
    } as const;
  }
}

const job: JobState = {
  name: 'sweep',
  schedule: 'every 10m',
  phase: 'waiting',
  next: new Date(9_000),
  lastStart: new Date(1_000),
  lastDurationMs: 5,
  lastOutcome: 'failed',
  lastError: 'boom',
  runs: 3,
  failures: 1,
};

@Injectable()
class Jobs implements JobSource {
  readonly [JOB_SOURCE] = true as const;
  jobs() {
    return [job];
  }
}

@Injectable()
class BrokenJobs implements JobSource {
  readonly [JOB_SOURCE] = true as const;
  jobs(): never {
    throw new Error('boom');
  }
}

function moduleWith(options: HostPageModuleOptions, ...imports: object[]) {
  @Module({
    imports: [HostxModule.forRoot({}), HostPageModule.forRoot(options), ...(imports as [])],
    providers: [Outbox, BrokenJobs, Jobs],
  })
  class App {}
  return App;
}

describe('HostPageModule', () => {
  it.each<[string, HostPageAccess, string]>([
    ['nothing', {}, 'hostx: page: it would be open to everybody: name a guard, or say public'],
    ['an empty list of guards', { guard: [] }, 'it would be open to everybody'],
    ['public: false', { public: false }, 'it would be open to everybody'],
    ['both', { guard: KeyGuard, public: true }, 'it has a guard and is public; say one'],
    ['no path', { path: '/', public: true }, 'hostx: page: path: the page cannot take every'],
  ])('is refused at once with %s', (_, options, message) => {
    expect(() => HostPageModule.forRoot(options)).toThrow(message);
    expect(() => HostPageModule.forRootAsync({ ...options, useFactory: () => ({}) })).toThrow(
      message,
    );
  });

  it('names every option that is wrong', async () => {
    const wrong = { interval: '1ms', events: 10_001, viewers: 1.5, checkInterval: 'soon' };
    await expect(startHost(moduleWith({ ...wrong, public: true }))).rejects.toThrow(
      /^hostx: page: interval: 1 ms is below 100 ms; .*events: 10001 is.*checkInterval: .*viewers: 1.5/,
    );
  });

  it('keeps no more samples than a plot can show', async () => {
    const long = moduleWith({ public: true, history: '2h', interval: '1s' });
    await expect(startHost(long)).rejects.toThrow('history: 7200 samples are more than 3600');
  });

  it('imports what its guard needs', async () => {
    class Keys {
      readonly key = 'open';
    }
    @Module({ providers: [Keys], exports: [Keys] })
    class KeysModule {}
    @Injectable()
    class KeysGuard implements CanActivate {
      constructor(private readonly keys: Keys) {}
      canActivate(context: ExecutionContext): boolean {
        const { headers } = context.switchToHttp().getRequest<IncomingMessage>();
        return headers['x-key'] === this.keys.key;
      }
    }
    const { app } = await startHost(moduleWith({ guard: KeysGuard, imports: [KeysModule] }));
    expect((await get(app!, '/host')).statusCode).toBe(403);
    expect((await get(app!, '/host', { 'x-key': 'open' })).statusCode).toBe(200);
  });

  it('leaves nothing behind that keeps the process alive', async () => {
    const clock = fakeClock();
    const { app, stop } = await startHost(moduleWith({ public: true, clock }));
    const { next } = await follow(app!);
    await next(({ full }) => full);
    expect(clock.pending).toBeGreaterThan(0);
    await stop();
    expect(clock.pending).toBe(0);
  });

  it('does not start without HostxModule', async () => {
    @Module({ imports: [HostPageModule.forRoot({ public: true })] })
    class App {}
    await expect(startHost(App)).rejects.toThrow('hostx: page: there is no host to show: import');
  });

  it('has decorators for guards that read them, and options that are made asynchronously', async () => {
    @Injectable()
    class RoleGuard implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext): boolean {
        return this.reflector.get<string>('role', context.getClass()) === 'ops';
      }
    }
    const page = (role: string) =>
      HostPageModule.forRootAsync({
        path: role,
        guard: RoleGuard,
        decorators: [SetMetadata('role', role)],
        useFactory: () => ({ title: 'A & B' }),
      });
    @Module({ imports: [HostxModule.forRoot({}), page('ops'), page('guest')] })
    class App {}
    const { app } = await startHost(App);
    const shown = await get(app!, '/ops');
    expect([shown.statusCode, await textOf(shown)]).toEqual([
      200,
      expect.stringContaining('<title>A &#38; B</title>'),
    ]);
    expect((await get(app!, '/guest')).statusCode).toBe(403);
  });

  it('stays out of the document of @nestjs/swagger', async () => {
    const { app } = await startHost(moduleWith({ public: true }));
    const { paths } = SwaggerModule.createDocument(app!, new DocumentBuilder().build());
    expect(paths).toEqual({});
  });
});

describe.each<[string, () => object]>([
  ['Express', () => ({})],
  // Where Fastify takes no notice of a slash at the end, the page must find its files as well.
  [
    'Fastify',
    () => ({ adapter: new FastifyAdapter({ routerOptions: { ignoreTrailingSlash: true } }) }),
  ],
])('the host page on %s', (_, platform) => {
  it('is shown by nobody but its guard', async () => {
    const { app } = await startHost(moduleWith({ guard: KeyGuard }), platform());
    for (const path of ['', '/', '/page.js', '/page.css', '/icon.svg', '/stream', '/none']) {
      expect([path, (await get(app!, `/host${path}`)).statusCode]).toEqual([path, 403]);
    }
    expect((await get(app!, '/host', { 'x-key': 'open' })).statusCode).toBe(200);
    expect((await get(app!, '/host/none', { 'x-key': 'open' })).statusCode).toBe(404);
  });

  it.each([
    ['/ops', './ops/'],
    ['/ops?x=1', './ops/'],
    ['/ops/', './'],
  ])('asked for as %s finds its files in %s', async (path, folder) => {
    const { app } = await startHost(moduleWith({ public: true, path: '/ops/' }), platform());
    const html = await textOf(await get(app!, path));
    for (const name of ['page.js', 'page.css', 'icon.svg']) {
      expect(html).toContain(`="${folder}${name}"`);
    }
    expect(html).not.toContain('{{');
  });

  it.each([
    ['', 'text/html; charset=utf-8'],
    ['/page.js', 'text/javascript; charset=utf-8'],
    ['/page.css', 'text/css; charset=utf-8'],
    ['/icon.svg', 'image/svg+xml'],
  ])('serves %s as %s, to be asked for again, under a policy', async (file, type) => {
    const { app } = await startHost(moduleWith({ public: true }), platform());
    const { statusCode, headers } = await get(app!, `/host${file}`);
    expect([statusCode, headers['content-type']]).toEqual([200, type]);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
    const again = await get(app!, `/host${file}`, { 'if-none-match': headers.etag! });
    expect([again.statusCode, await textOf(again)]).toEqual([304, '']);
  });

  it('lies below the global prefix', async () => {
    const { app } = await startHost(moduleWith({ public: true }), {
      ...platform(),
      configure: (app) => void app.setGlobalPrefix('api'),
    });
    expect((await get(app!, '/api/host')).statusCode).toBe(200);
  });

  it('tells everything at once, and then what is new', async () => {
    const { app, host } = await startHost(
      moduleWith({ public: true, interval: '100ms' }),
      platform(),
    );
    const { response, views, next } = await follow(app!);
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const first = await next(({ full }) => full);
    expect(first).toMatchObject({
      process: { pid: process.pid, node: process.version },
      host: { phase: 'running', environment: 'Production' },
      services: [
        { name: 'outbox', state: 'ready', restarts: 0 },
        { name: 'http', state: 'ready' },
      ],
      jobs: [{ ...job, next: 9_000, lastStart: 1_000 }],
      figures: expect.arrayContaining([
        expect.objectContaining({ name: 'hostx.host.up', value: 1, attributes: '', unit: '' }),
        {
          name: 'outbox.sent',
          attributes: 'to=shop, by=mail',
          value: 12,
          unit: 'By',
          description: 'Sent',
        },
      ]),
    });
    const said = first.events.map(({ subject, text }) => `${subject} ${text}`);
    expect(said).toContain('outbox starting');
    expect(said).toContain('host starting → running');
    expect(first.samples[0]!.rss).toBeGreaterThan(first.samples[0]!.heapUsed);

    app!.get(Outbox).crash(new Error('queue lost'));
    const told = await next(({ events }) => events.some(({ level }) => level === 'warning'));
    expect(told.full).toBe(false);
    expect(told.services[0]).toMatchObject({
      state: 'backoff',
      restarts: 1,
      lastError: 'hostx: service outbox: queue lost',
    });
    expect(host.state.services[0]!.state).toBe('backoff');
    const ids = views.flatMap(({ events }) => events.map(({ id }) => id));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  it('has its streams ended properly by the stop, which does not wait for them', async () => {
    const { app, stop } = await startHost(moduleWith({ public: true }), platform());
    const streams = await Promise.all([follow(app!), follow(app!)]);
    const begun = Date.now();
    expect(await stop()).toBeUndefined();
    expect(Date.now() - begun).toBeLessThan(1_000);
    await Promise.all(streams.map(({ ended }) => ended));
  });

  it('tells one viewer too many to come later, and serves again once one has gone', async () => {
    const { app } = await startHost(moduleWith({ public: true, viewers: 1 }), platform());
    const first = await follow(app!);
    await first.next(({ full }) => full);
    const second = await get(app!, '/host/stream');
    expect([second.statusCode, second.headers['retry-after']]).toEqual([503, '60']);
    first.response.destroy();
    let third = second;
    while (third.statusCode === 503) third = await get(app!, '/host/stream');
    expect(third.statusCode).toBe(200);
    third.destroy();
  });
});

describe('the health on the host page', () => {
  it.each<[string, object[], readonly string[]]>([
    [
      'is that of HealthModule, with what was given to it',
      [HealthModule.forRoot({ checks: [{ name: 'disk', affects: 'live', check: () => {} }] })],
      ['disk', 'service outbox', 'service http', 'backlog'],
    ],
    [
      'is that of the health sources, without HealthModule',
      [],
      ['host', 'service outbox', 'service http', 'backlog'],
    ],
  ])('%s', async (_, imports, names) => {
    const { app } = await startHost(moduleWith({ public: true }, ...imports));
    const { next } = await follow(app!);
    const { health } = await next(({ health }) => health !== null);
    expect(health!.isReady).toBe(true);
    expect(health!.checks.map(({ name }) => name).toSorted()).toEqual([...names].toSorted());
    expect(health!.checks.every(({ outcome }) => outcome === 'ok')).toBe(true);
  });

  it('follows what happens', async () => {
    const { app } = await startHost(
      moduleWith({ public: true, interval: '100ms', checkInterval: '100ms' }),
    );
    const { next } = await follow(app!);
    await next(({ health }) => health?.isReady === true);
    app!.get(Outbox).crash(new Error('queue lost'));
    const { health } = await next(({ health }) => health?.isReady === false);
    expect(health!.checks.find(({ name }) => name === 'service outbox')!.outcome).toContain(
      'queue lost',
    );
  });
});

describe('the host page of an app with a plain main', () => {
  let app: INestApplication;
  afterEach(() => app.close());

  it('is served alike, and its streams are ended by app.close()', async () => {
    @Module({
      imports: [
        HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
        HostPageModule.forRoot({ public: true }),
      ],
      providers: [Outbox],
    })
    class App {}
    app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    const { next, ended } = await follow(app);
    const { services } = await next(({ full }) => full);
    expect(services.map(({ name }) => name)).toEqual(['outbox', 'http']);
    await app.close();
    await ended;
  });
});
