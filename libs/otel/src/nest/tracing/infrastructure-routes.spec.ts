import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InfrastructureEndpoint } from '@apix/contracts';
import { HostxModule } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { HostPageModule } from '@apix/host-page';
import {
  All,
  Controller,
  Get,
  type INestApplication,
  Module,
  Param,
  type Type,
  VERSION_NEUTRAL,
  VersioningType,
} from '@nestjs/common';
import { NestFactory, RouterModule } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { NodeAdapter } from '../../../../../tools/testing/node-adapter/node-adapter.js';
import { RecordedSpans, forgetSpans } from '../../recorded-spans.fixture.js';
import { MetricsModule } from '../metrics.module.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

@InfrastructureEndpoint()
@Controller(['status', 'state'])
class Status {
  @Get()
  status() {
    return 'ok';
  }

  @All('/deep/all/')
  all() {
    return 'ok';
  }

  @Get('of/:part')
  part(@Param('part') part: string) {
    return part;
  }
}

@Controller()
class Root {
  @InfrastructureEndpoint()
  @Get()
  root() {
    return 'ok';
  }

  @InfrastructureEndpoint()
  @Get('plain')
  plain() {
    return 'ok';
  }
}

@InfrastructureEndpoint()
@Controller({ path: 'versioned', version: ['2', VERSION_NEUTRAL] })
class Versioned {
  @Get()
  versioned() {
    return 'ok';
  }
}

@Controller({ path: 'shared', version: '1' })
class Shared {
  @Get()
  shared() {
    return 'ok';
  }
}

@InfrastructureEndpoint()
@Controller({ path: 'shared', version: '2' })
class SharedProbe {
  @Get()
  shared() {
    return 'ok';
  }
}

@Module({ controllers: [Status] })
class StatusModule {}

let spans: RecordedSpans;
let app: INestApplication;

beforeEach(() => {
  spans = new RecordedSpans();
});

afterEach(async () => {
  await app.close();
  forgetSpans();
});

const PLATFORMS = [
  ['Express', () => new ExpressAdapter()],
  ['Fastify', () => new FastifyAdapter()],
  ['an adapter of another type', () => new NodeAdapter()],
] as const;

async function start(
  adapter: (typeof PLATFORMS)[number][1],
  prepare: (app: INestApplication) => void,
  { controllers = [], ...options }: TracingModuleOptions & { controllers?: Type[] } = {},
) {
  @Module({
    imports: [
      TracingModule.forRoot(options),
      HostxModule.forRoot({}),
      HealthModule.forRoot({}),
      MetricsModule.forRoot({ runtime: false }),
      HostPageModule.forRoot({ public: true }),
      StatusModule,
      RouterModule.register([{ path: 'inner', module: StatusModule }]),
    ],
    controllers: [Root, ...controllers],
  })
  class App {}
  app = await NestFactory.create(App, adapter(), { logger: false, abortOnError: false });
  prepare(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return async (path: string, headers: Record<string, string> = {}): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await response.text();
    return response.status;
  };
}

const PREFIXED = [
  '/api/healthz',
  '/readyz',
  '/api/metrics',
  '/api/host',
  '/api/host/traces/none',
  '/api/host/host-page.js',
  '/api/inner/status',
  '/api/inner/state',
  '/api/inner/status/deep/all',
  '/api',
  '/plain',
];

const VERSIONED = { controllers: [Versioned, Shared, SharedProbe] };

describe.each(PLATFORMS)('the infrastructure of an app on %s', (_, adapter) => {
  it('begins no spans, from the first request on', async () => {
    const get = await start(adapter, (it) =>
      it.setGlobalPrefix('api', { exclude: ['plain', 'readyz'] }),
    );
    const begun: string[] = [];
    for (const path of PREFIXED) {
      const before = spans.started;
      await get(path);
      if (spans.started > before) begun.push(path);
    }
    expect(await get('/api/nowhere')).toBe(404);
    expect((await spans.only()).attributes['url.path']).toBe('/api/nowhere');
    expect(begun).toEqual([]);
  });

  it('is known below the versions of paths', async () => {
    const versions = (it: INestApplication): void => {
      it.setGlobalPrefix('api');
      it.enableVersioning({ type: VersioningType.URI });
    };
    const get = await start(adapter, versions, VERSIONED);
    expect(await get('/api/v2/versioned')).toBe(200);
    expect(await get('/api/versioned')).toBe(200);
    expect(spans.started).toBe(0);
    expect(await get('/api/v1/shared')).toBe(200);
    expect((await spans.only()).name).toBe('GET /api/v1/shared');
  });

  it('leaves a path alone that is that of the app in another version', async () => {
    const versions = (it: INestApplication): void =>
      void it.enableVersioning({ type: VersioningType.HEADER, header: 'x-version' });
    const get = await start(adapter, versions, VERSIONED);
    expect(await get('/shared', { 'x-version': '1' })).toBe(200);
    expect((await spans.only()).name).toBe('GET /shared');
  });

  it('ends the span of a first request that could not be known, and begins no second', async () => {
    const get = await start(adapter, () => {});
    for (let i = 0; i < 3; i++) expect(await get('/inner/status/of/it')).toBe(200);
    expect((await spans.only()).name).toBe('GET /inner/status/of/:part');
    expect(spans.started).toBe(1);
  });

  it('has spans where that is asked for', async () => {
    const get = await start(adapter, () => {}, { http: { infrastructure: true } });
    for (let i = 0; i < 2; i++) expect(await get('/healthz')).toBe(200);
    const [first, second] = await spans.until(2);
    expect([first?.name, second?.name]).toEqual(['GET', 'GET']);
  });
});
