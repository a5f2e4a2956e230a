import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { runHost } from '@apix/hostx';
import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Announcer, HOST, protos } from './catalog.ts';

@Module({
  imports: [protos(), GatewayModule.forRoot({ endpoint: process.env['BACKEND'] ?? '' })],
  providers: [Announcer],
})
class Front {}

await runHost(Front, { ...HOST, adapter: new FastifyAdapter() });
