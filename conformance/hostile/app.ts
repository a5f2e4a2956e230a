import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AuthzGuard, AuthzModule, DefaultRequires, certificateSubject } from '@apix/authz';
import { GatewayModule, GatewayRef, type Middleware } from '@apix/gateway';
import { webSockets } from '@apix/gateway/websocket';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { HostxModule, runHost } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { McpModule } from '@apix/mcp';
import { HostPageModule } from '@apix/host-page';
import { fileSink, LogxLoggerService, LogxModule } from '@apix/logx';
import { TracingModule } from '@apix/otel';
import { ProtoModule } from '@apix/proto';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { type INestApplication, Module } from '@nestjs/common';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import type { AppSettings } from './app-process.js';
import { Attic, Desk, Mail, Porch, Vault } from './handlers.js';
import { answerQuestions } from './questions.js';
import { subjectOf } from './subject.js';
import { WatchedSpans } from './watched-spans.js';

/**
 * The app under attack, in a process of its own: `app.mjs <settings as JSON>`. Without `endpoint`
 * it has every entry point; with it, it is a gateway alone, in front of the gRPC server there; with
 * `tls` it is a gRPC server alone.
 */
const settings = JSON.parse(process.argv[2]!) as AppSettings;
const HOST = '127.0.0.1';
/** Of the server that asks for certificates. */
const MAX_CONNECTIONS = 300;
/** Seen from the bundle, four folders below the root of the repository. */
const DESCRIPTORS = '../../../../conformance/hostile/gen/strangers.binpb';

/** Stands for the middleware of the app that lets its pages read answers. */
const cors: Middleware = (req, res, next) => {
  if (req.headers.origin !== undefined) res.setHeader('access-control-allow-origin', '*');
  next();
};

const { stack, tls } = settings;
const grpc = { port: 0, host: HOST, stack };
const certificates = tls && {
  cert: Buffer.from(tls.cert),
  key: Buffer.from(tls.key),
  clientCa: Buffer.from(tls.clientCa),
};

const gateway = {
  protocols: ['rest', 'connect', 'grpc-web', 'grpc'] as const,
  mount: '/api',
  middleware: [cors],
  forwardHeaders: ['cookie'],
  forms: true,
  timeout: '5s',
  connectTimeout: '2s',
  webSockets: webSockets({ admission: '500ms' }),
};

/** Sessions are few, so that floods of them come to their bounds. */
const tools = {
  forwardHeaders: ['cookie'],
  bodyTimeout: '3s',
  timeout: '5s',
  sessions: { max: 500, maxPerCaller: 50 },
};

const spans = new WatchedSpans();

const shared = [
  TracingModule.forRoot({ processors: [spans] }),
  LogxModule.forRoot({ sinks: [fileSink(settings.log)] }),
  ProtoModule.forRoot({ descriptors: fileURLToPath(new URL(DESCRIPTORS, import.meta.url)) }),
  HostxModule.forRoot({ shutdownTimeout: '2s' }),
];

@Module({
  imports: [
    ...shared,
    AuthzModule.forRoot({
      subject: subjectOf(settings.jwks),
      subjectTimeout: '700ms',
      unannotated: 'deny',
      exempt: ['/strangers.v1.Attic/*'],
      ...(settings.open && { mode: 'shadow' }),
    }),
    GrpcModule.forRoot(grpc),
    GatewayModule.forRoot(gateway),
    McpModule.forRoot(tools),
    HealthModule.forRoot(),
    HostPageModule.forRoot({
      guard: AuthzGuard,
      decorators: [DefaultRequires({ roles: { anyOf: ['keeper'] } })],
      viewers: 2,
    }),
    SwaggerUiModule.forRootAsync({
      inject: [GatewayRef],
      useFactory: (ref: GatewayRef) => ({
        specs: [{ name: 'strangers.json', document: () => ref.openapi() }],
      }),
    }),
  ],
  controllers: [Vault, Porch, Attic, Desk, Mail],
})
class House {}

@Module({
  imports: [...shared, GatewayModule.forRoot({ ...gateway, endpoint: settings.endpoint })],
})
class Front {}

@Module({
  imports: [
    ...shared,
    AuthzModule.forRoot({
      subject: certificateSubject(),
      unannotated: 'deny',
      ...(settings.open && { mode: 'shadow' }),
    }),
    GrpcModule.forRoot({
      ...grpc,
      maxConnections: MAX_CONNECTIONS,
      ...(certificates && { tls: certificates }),
    }),
  ],
  controllers: [Vault],
})
class Gate {}

// Loads what fetching needs, which would be taken for memory that an attack leaves behind.
await fetch('data:,').then((answer) => answer.text());

const isGate = tls !== undefined;
const isHouse = settings.endpoint === '' && !isGate;
let app: INestApplication;
await runHost(isGate ? Gate : isHouse ? House : Front, {
  // Without TLS Fastify's server of HTTP/2 does not speak HTTP/1.
  ...(settings.http2 === true && { adapter: new FastifyAdapter({ http2: true }) }),
  nest: { bufferLogs: true },
  http: { port: 0, host: HOST },
  drain: { delay: 0 },
  configure: (created) => {
    app = created;
    app.useLogger(app.get(LogxLoggerService));
    if (!isHouse) return;
    app.connectMicroservice<MicroserviceOptions>(
      { transport: Transport.TCP, options: { port: settings.messages, host: HOST } },
      { inheritAppConfig: true },
    );
  },
  extend: (builder) =>
    void builder.onStarted(() => {
      const { port: http } = (app.getHttpServer() as Server).address() as AddressInfo;
      answerQuestions(spans);
      process.send!({
        http,
        grpc: isHouse || isGate ? app.get(GrpcServer).port : 0,
      });
    }),
});
