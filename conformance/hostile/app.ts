import 'reflect-metadata';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { AuthzModule } from '@apix/authz';
import { GatewayModule, type Middleware } from '@apix/gateway';
import { webSockets } from '@apix/gateway/websocket';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { HostxModule, runHost } from '@apix/hostx';
import { fileSink, LogxLoggerService, LogxModule } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { type INestApplication, Module } from '@nestjs/common';
import { type MicroserviceOptions, Transport } from '@nestjs/microservices';
import type { AppSettings } from './app-process.js';
import { Attic, Desk, Mail, Porch, Vault } from './handlers.js';
import { answerQuestions } from './questions.js';
import { subjectOf } from './subject.js';

/**
 * The app under attack, in a process of its own: `app.mjs <settings as JSON>`. Without `endpoint`
 * it has every entry point; with it, it is a gateway alone, in front of the gRPC server there.
 */
const settings = JSON.parse(process.argv[2]!) as AppSettings;
const HOST = '127.0.0.1';
/** Seen from the bundle, four folders below the root of the repository. */
const DESCRIPTORS = '../../../../conformance/hostile/gen/strangers.binpb';

/** Stands for the middleware of the app that lets its pages read answers. */
const cors: Middleware = (req, res, next) => {
  if (req.headers.origin !== undefined) res.setHeader('access-control-allow-origin', '*');
  next();
};

const gateway = {
  mount: '/api',
  middleware: [cors],
  forwardHeaders: ['cookie'],
  forms: true,
  timeout: '5s',
  connectTimeout: '2s',
  webSockets: webSockets({ admission: '500ms' }),
};

const shared = [
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
    GrpcModule.forRoot({ port: 0, host: HOST }),
    GatewayModule.forRoot(gateway),
  ],
  controllers: [Vault, Porch, Attic, Desk, Mail],
})
class House {}

@Module({
  imports: [...shared, GatewayModule.forRoot({ ...gateway, endpoint: settings.endpoint })],
})
class Front {}

// Loads what fetching needs, which would be taken for memory that an attack leaves behind.
await fetch('data:,').then((answer) => answer.text());

const isHouse = settings.endpoint === '';
let app: INestApplication;
await runHost(isHouse ? House : Front, {
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
      answerQuestions();
      process.send!({ http, grpc: isHouse ? app.get(GrpcServer).port : 0 });
    }),
});
