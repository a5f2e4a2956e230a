import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { runHost } from '@apix/hostx';
import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Announcer, GatewayAnnouncer, HOST, protos } from './catalog.ts';

const own = process.env['PORT_OF_ITS_OWN'] !== undefined;
const endpoint = process.env['BACKEND'] ?? '';
const stack = process.env['STACK'] === 'http2' ? 'http2' : 'grpc-js';

@Module({
  imports: [
    protos(),
    GatewayModule.forRoot(
      own ? { endpoint, stack, port: 0, host: '127.0.0.1' } : { endpoint, stack },
    ),
  ],
  providers: [own ? GatewayAnnouncer : Announcer],
})
class Front {}

await runHost(Front, { ...HOST, adapter: new FastifyAdapter() });
