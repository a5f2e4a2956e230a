import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Code, InfrastructureEndpoint, StatusError } from '@apix/contracts';
import {
  Controller,
  type ExceptionFilter,
  ForbiddenException,
  Get,
  type INestApplication,
  Module,
  Param,
  Sse,
  type Type,
  UseGuards,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { WsAdapter } from '@nestjs/platform-ws';
import { SubscribeMessage, WebSocketGateway } from '@nestjs/websockets';
import { trace } from '@opentelemetry/api';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import {
  InMemoryMetricExporter,
  AggregationTemporality,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { from } from 'rxjs';
import { WebSocket } from 'ws';
import { NodeAdapter } from '../../../../../tools/testing/node-adapter/node-adapter.js';
import { RecordedSpans, forgetSpans, summaryOf } from '../../recorded-spans.fixture.js';
import type { TracingModuleOptions } from './tracing-module-options.js';
import { TracingModule } from './tracing.module.js';

const deny = { canActivate: () => false };

@Controller('orders')
class Orders {
  @Get(':id')
  find(@Param('id') id: string) {
    return trace.getTracer('app').startActiveSpan('query', (span) => {
      span.end();
      return { id };
    });
  }

  @Get(':id/broken')
  broken(): never {
    throw new RangeError('no such page');
  }

  @Get(':id/missing')
  missing(): never {
    throw new StatusError(Code.NOT_FOUND, 'no such order');
  }

  @Get(':id/unavailable')
  unavailable(): never {
    throw new StatusError(Code.UNAVAILABLE, 'no database');
  }

  @Get(':id/denied')
  @UseGuards(deny)
  denied() {}

  @Sse(':id/events')
  events() {
    return from([{ data: 'one' }, { data: 'two' }]);
  }
}

@InfrastructureEndpoint()
@Controller('status')
class Status {
  @Get()
  status() {
    return 'ok';
  }
}

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

interface Given {
  readonly options?: TracingModuleOptions;
  readonly providers?: readonly Type[];
  readonly guard?: object;
  readonly filter?: object;
  readonly prepare?: (app: INestApplication) => void;
}

async function start(
  adapter: (typeof PLATFORMS)[number][1],
  { options, providers = [], guard, filter, prepare = () => {} }: Given = {},
) {
  @Module({
    imports: [TracingModule.forRoot(options)],
    controllers: [Orders, Status],
    providers: [
      ...providers,
      ...(guard === undefined ? [] : [{ provide: APP_GUARD, useValue: guard }]),
      ...(filter === undefined ? [] : [{ provide: APP_FILTER, useValue: filter }]),
    ],
  })
  class Shop {}
  app = await NestFactory.create(Shop, adapter(), { logger: false, abortOnError: false });
  app.setGlobalPrefix('api');
  prepare(app);
  await app.listen(0, '127.0.0.1');
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  return async (path: string): Promise<number> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    await response.text();
    return response.status;
  };
}

describe.each(PLATFORMS)('HTTP requests of Nest on %s', (_, adapter) => {
  it.each([
    ['/api/orders/17/broken', 500, 'ERROR', 'RangeError'],
    ['/api/orders/17/missing', 500, 'ERROR', 'StatusError'],
    ['/api/orders/17/unavailable', 500, 'ERROR', 'StatusError'],
    ['/api/orders/17/denied', 403, 'UNSET', undefined],
    ['/api/orders/17/events', 200, 'UNSET', undefined],
  ])('%s is a span of its route with status %i', async (path, status, spanStatus, errorType) => {
    const get = await start(adapter);
    expect(await get(path)).toBe(status);
    const span = await spans.only();
    const route = path.replace('17', ':id');
    expect(span).toMatchObject({ name: `GET ${route}`, kind: 'SERVER', status: spanStatus });
    expect(span.attributes).toMatchObject({
      'http.route': route,
      'http.response.status_code': status,
    });
    expect(span.attributes['error.type']).toBe(errorType);
  });

  it('have the headers of their answers that are asked for', async () => {
    const captureHeaders = { response: ['content-type'] };
    const get = await start(adapter, { options: { http: { captureHeaders } } });
    await get('/api/orders/17');
    const [, { attributes }] = (await spans.until(2)) as [unknown, { attributes: object }];
    expect(attributes).toMatchObject({
      'http.response.header.content-type': ['application/json; charset=utf-8'],
    });
  });

  it('are the parents of what handlers do', async () => {
    const get = await start(adapter);
    await get('/api/orders/17');
    const [query, request] = await spans.until(2);
    expect([query!.name, request!.name]).toEqual(['query', 'GET /api/orders/:id']);
    expect(query!.parentSpanContext?.spanId).toBe(request!.spanContext().spanId);
  });

  it.each([
    ['of main', true],
    ['of a module', false],
  ])('have what failed where a filter of the app answers: %s', async (_name, isOfMain) => {
    const filter: ExceptionFilter = {
      catch: (_error, host) =>
        void app.getHttpAdapter().reply(host.switchToHttp().getResponse(), 'sorry', 503),
    };
    const prepare = (it: INestApplication): void => void it.useGlobalFilters(filter);
    const get = await start(adapter, isOfMain ? { prepare } : { filter });
    expect(await get('/api/orders/17/broken')).toBe(503);
    const span = await spans.only();
    expect([span.status, span.attributes['error.type']]).toEqual(['ERROR', 'RangeError']);
    expect(spans.all[0]?.events.map(({ name }) => name)).toEqual(['exception']);
  });

  it('have no route where none is found', async () => {
    const get = await start(adapter);
    expect(await get('/api/elsewhere')).toBe(404);
    expect(summaryOf((await spans.until(1))[0]!)).toMatchObject({ name: 'GET', status: 'UNSET' });
  });

  it('have their route where a guard of the whole app denies them', async () => {
    const guard = {
      canActivate(): never {
        throw new ForbiddenException();
      },
    };
    const get = await start(adapter, { guard });
    expect(await get('/api/orders/17')).toBe(403);
    expect((await spans.only()).name).toBe('GET /api/orders/:id');
  });

  it('are spans where a middleware of the app answers them', async () => {
    const prepare = (it: INestApplication): void =>
      void it.use((_req: unknown, res: { statusCode: number; end(): void }) => {
        res.statusCode = 418;
        res.end();
      });
    const get = await start(adapter, { prepare });
    expect(await get('/anything')).toBe(418);
    expect((await spans.only()).attributes['http.response.status_code']).toBe(418);
  });

  it('of the infrastructure are spans where that is asked for', async () => {
    const get = await start(adapter, { options: { http: { infrastructure: true } } });
    await get('/api/status');
    expect((await spans.only()).name).toBe('GET /api/status');
  });

  it('are left alone by `http: false`', async () => {
    const get = await start(adapter, { options: { http: false } });
    await get('/api/orders/17');
    expect((await spans.only()).name).toBe('query');
    expect(Object.hasOwn(app.getHttpServer() as object, 'emit')).toBe(false);
  });

  it('are measured', async () => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter });
    const meterProvider = new MeterProvider({ readers: [reader] });
    const get = await start(adapter, { options: { meterProvider } });
    await get('/api/orders/17');
    await get('/api/orders/18');
    await get('/api/orders/18/broken');
    await get('/api/status');
    await spans.until(5);
    await meterProvider.forceFlush();
    const [{ scopeMetrics }] = exporter.getMetrics() as [ReturnType<typeof exporter.getMetrics>[0]];
    const [active, duration] = scopeMetrics[0]!.metrics.toSorted((a, b) =>
      a.descriptor.name.localeCompare(b.descriptor.name),
    ) as [MetricData, MetricData];
    expect(active.descriptor).toMatchObject({
      name: 'http.server.active_requests',
      unit: '{request}',
    });
    const method = { 'http.request.method': 'GET', 'url.scheme': 'http' };
    expect(active.dataPoints.map((it) => [it.attributes, it.value])).toEqual([[method, 0]]);
    expect(duration.descriptor).toMatchObject({ name: 'http.server.request.duration', unit: 's' });
    const series = duration.dataPoints.map(({ attributes, value }) => [
      attributes,
      (value as { count: number }).count,
    ]);
    const of = { ...method, 'network.protocol.version': '1.1' };
    expect(series).toEqual([
      [{ ...of, 'http.route': '/api/orders/:id', 'http.response.status_code': 200 }, 2],
      [
        {
          ...of,
          'http.route': '/api/orders/:id/broken',
          'http.response.status_code': 500,
          'error.type': 'RangeError',
        },
        1,
      ],
    ]);
    await meterProvider.shutdown();
  });

  it('are no spans any more when the app has closed', async () => {
    await start(adapter);
    const server = app.getHttpServer() as object;
    expect(Object.hasOwn(server, 'emit')).toBe(true);
    await app.close();
    expect(Object.hasOwn(server, 'emit')).toBe(false);
  });
});

it('requests that reach Fastify by another server have spans', async () => {
  const adapter = new FastifyAdapter();
  await start(() => adapter);
  const fastify = adapter.getInstance<{
    routing(req: IncomingMessage, res: ServerResponse): void;
  }>();
  const other = createServer((req, res) => fastify.routing(req, res));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  await (await fetch(`http://127.0.0.1:${port}/api/orders/17/denied`)).text();
  other.close();
  expect((await spans.only()).name).toBe('GET /api/orders/:id/denied');
});

it('the handshake of a WebSocket gateway is a span, ended when it is answered', async () => {
  @WebSocketGateway({ path: '/live' })
  class Live {
    @SubscribeMessage('ping')
    ping() {}
  }
  const prepare = (it: INestApplication): void => void it.useWebSocketAdapter(new WsAdapter(it));
  await start(PLATFORMS[0][1], { prepare, providers: [Live] });
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`);
  await once(socket, 'open');
  expect(await spans.only()).toMatchObject({
    name: 'GET',
    kind: 'SERVER',
    status: 'UNSET',
    attributes: { 'url.path': '/live', 'http.response.status_code': 101 },
  });
  socket.close();
  await once(socket, 'close');
  expect(spans.started).toBe(1);
});

it('wrong options of HTTP are refused at the module', async () => {
  const options = { http: { incoming: 'maybe' } } as unknown as TracingModuleOptions;
  await expect(start(PLATFORMS[0][1], { options })).rejects.toThrow(
    'otel: http.incoming: must be one of "parent", "link", "ignore", not "maybe"',
  );
  await start(PLATFORMS[0][1]);
});
