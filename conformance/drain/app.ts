import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule, GrpcServer } from '@apix/grpc';
import { HostRef, HostxModule, runHost } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { type INestApplication, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Transport } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { CERTIFICATE, KEY } from '../../tools/testing/certificate.js';
import { freePort } from '../../tools/testing/free-port.js';
import { runHttp2 } from './http2-app.js';
import { DESCRIPTORS, PACKAGE, PROTO_DIR, PROTO_FILE } from './probe.js';
import { GrpcSite, Site, serveWebSockets } from './site.js';

/**
 * The instance under test, in a process of its own: `app.mjs <express|fastify|h2c|h2|grpc|grpc-http2|gateway>
 * <host|stock> <drain delay in ms>`. Says `ready <HTTP port> <gRPC port>` once it listens; the port for gRPC of a
 * gateway is its own, where it serves Connect and gRPC-Web too.
 */
const [platform, mode, delay] = process.argv.slice(2);
const isGateway = platform === 'gateway';
const stack = platform === 'grpc-http2' ? 'http2' : 'grpc-js';
const isGrpc = platform === 'grpc' || stack === 'http2' || isGateway;
const HOST = '127.0.0.1';
/** Several processes share it. */
const sharedPort = process.env['GATEWAY_PORT'];
const gatewayPort = isGateway ? Number(sharedPort ?? (await freePort())) : 0;

@Module({
  imports: [
    HostxModule.forRoot({ logger: null }),
    ...(isGrpc
      ? [
          ProtoModule.forRoot({ descriptors: DESCRIPTORS }),
          GrpcModule.forRoot({ port: 0, host: HOST, stack }),
        ]
      : []),
    ...(isGateway
      ? [
          GatewayModule.forRoot({
            protocols: ['connect', 'grpc-web', 'grpc'],
            port: gatewayPort,
            host: HOST,
            http: { http2: true },
          }),
        ]
      : []),
  ],
  controllers: isGrpc ? [Site, GrpcSite] : [Site],
})
class Hosted {}

@Module({
  controllers: isGrpc ? [Site, GrpcSite] : [Site],
  providers: [{ provide: HostRef, useValue: { state: { services: [] } } }],
})
class Stock {}

function say(app: INestApplication, grpcPort: number): void {
  const { port } = (app.getHttpServer() as Server).address() as AddressInfo;
  process.stdout.write(`ready ${port} ${grpcPort}\n`);
}

async function runStock(): Promise<void> {
  const options = { logger: false } as const;
  const https = { cert: CERTIFICATE, key: KEY, allowHTTP1: true };
  const app =
    platform === 'fastify'
      ? await NestFactory.create(Stock, new FastifyAdapter(), options)
      : platform === 'h2'
        ? await NestFactory.create(Stock, new FastifyAdapter({ http2: true, https }), options)
        : await NestFactory.create(Stock, options);
  const grpcPort = isGrpc ? await freePort() : 0;
  if (isGrpc) {
    app.connectMicroservice({
      transport: Transport.GRPC,
      options: {
        package: PACKAGE,
        protoPath: PROTO_FILE,
        loader: { includeDirs: [PROTO_DIR] },
        url: `${HOST}:${grpcPort}`,
      },
    });
    await app.startAllMicroservices();
  }
  app.enableShutdownHooks();
  await app.listen(0, HOST);
  say(app, grpcPort);
}

async function runHosted(): Promise<void> {
  let app: INestApplication;
  await runHost(Hosted, {
    ...(platform === 'fastify' && { adapter: new FastifyAdapter() }),
    nest: { logger: false },
    http: { port: 0, host: HOST },
    drain: { delay: Number(delay) },
    configure: (created) => {
      app = created;
      serveWebSockets(created);
    },
    extend: (builder) =>
      void builder.onStarted(() =>
        say(app, isGateway ? gatewayPort : isGrpc ? app.get(GrpcServer).port : 0),
      ),
  });
}

if (mode === 'host' && (platform === 'h2' || platform === 'h2c')) {
  runHttp2(platform === 'h2', Number(delay), (port) => process.stdout.write(`ready ${port} 0\n`));
} else await (mode === 'stock' ? runStock() : runHosted());
