import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Authorizer } from '@apix/authz/core';
import { fastifyAuthz, nodeAuthz } from '@apix/authz/http';
import { ExceptionsModule } from '@apix/calls/nest';
import { HealthRegistry } from '@apix/hostx/core';
import { HealthModule, checkerFunc } from '@apix/hostx/health';
import { HostxModule } from '@apix/hostx';
import { HostPageModule } from '@apix/host-page';
import { LogxModule } from '@apix/logx';
import { collectingSink } from '@apix/logx/testing';
import { MetricsModule, prometheusHandler } from '@apix/otel';
import { ProtoRegistry } from '@apix/proto/core';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { swaggerUi } from '@apix/swagger-ui/core';
import { Controller, ForbiddenException, Get, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { CERTIFICATE, KEY } from '../../../tools/testing/certificate.js';
import { type Http2Served, serveOnHost } from '../../../tools/testing/host-server.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const specs = [{ name: 'shop.json', document: { openapi: '3.1.0', info: 'x'.repeat(5_000) } }];
const tls = { cert: CERTIFICATE, key: KEY };
const nobody = (): null => null;
const ANYBODY = { requires: {} };

function authorizer(): Authorizer {
  const descriptors = new Uint8Array(readFileSync(PLAIN_SHOP));
  return new Authorizer(ProtoRegistry.load(descriptors), { subject: nobody });
}

@Controller()
class Failing {
  @Get('forbidden') forbidden(): never {
    throw new ForbiddenException('not yours');
  }
}

@Module({
  imports: [
    LogxModule.forRoot({ sinks: [collectingSink()] }),
    ExceptionsModule,
    HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
    HealthModule.forRoot({ checks: [checkerFunc('db', () => {})] }),
    MetricsModule.forRoot({}),
    SwaggerUiModule.forRoot({ specs }),
    HostPageModule.forRoot({ public: true }),
  ],
  controllers: [Failing],
})
class App {}

async function appOn(scheme: string, options: object) {
  const adapter = new FastifyAdapter(options as never);
  const app = await NestFactory.create<NestFastifyApplication>(App, adapter as never, {
    logger: false,
  });
  const may = fastifyAuthz(authorizer());
  const fastify = app.getHttpAdapter().getInstance();
  fastify.all('/guarded', { onRequest: may(ANYBODY) }, () => 'in');
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { url: `${scheme}://127.0.0.1:${port}`, close: () => app.close() };
}

async function onFastify(): Promise<Http2Served> {
  // Without TLS its server does not speak HTTP/1.
  const clear = await appOn('http', { http2: true });
  const http1 = await appOn('http', {});
  const close = (): Promise<unknown> => Promise.all([clear.close(), http1.close()]);
  return { http1: http1.url, http2: clear.url, close };
}

async function onSecureFastify(): Promise<Http2Served> {
  const https = { ...tls, allowHTTP1: true };
  const { url, close } = await appOn('https', { http2: true, https });
  return { http1: url, http2: url, close };
}

/** The handlers of the packages without Nest. */
function handlers(): (req: IncomingMessage, res: ServerResponse) => void {
  const health = new HealthRegistry({ checks: [checkerFunc('db', () => {})] });
  const probes = health.handler();
  const { handler: metrics, meterProvider } = prometheusHandler();
  meterProvider.getMeter('shop').createCounter('orders').add(3);
  const empty = prometheusHandler().handler;
  const guarded = nodeAuthz(authorizer())(ANYBODY, (_: IncomingMessage, res: ServerResponse) =>
    res.end('in'),
  );
  const docs = swaggerUi({ path: '/docs', specs });
  return (req, res) => {
    if (req.url === '/metrics') metrics(req, res);
    else if (req.url === '/no-metrics') empty(req, res);
    else if (req.url === '/guarded') guarded(req, res);
    else if (req.url?.startsWith('/docs') === true) docs(req, res);
    else probes(req, res);
  };
}

export const NEST_SERVERS: readonly (readonly [string, () => Promise<Http2Served>])[] = [
  ['Fastify', onFastify],
  ['Fastify with TLS', onSecureFastify],
];

export const HOSTX_SERVERS: readonly (readonly [string, () => Promise<Http2Served>])[] = [
  ["hostx's server", () => serveOnHost('http', handlers())],
  ["hostx's server with TLS", () => serveOnHost('https', handlers())],
];
