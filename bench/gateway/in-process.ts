import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { runHost } from '@apix/hostx';
import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Announcer, CatalogController, GatewayAnnouncer, HOST, catalog } from './catalog.ts';

const own = process.env['PORT_OF_ITS_OWN'] !== undefined;

@Module({
  imports: [...catalog(), GatewayModule.forRoot(own ? { port: 0, host: '127.0.0.1' } : {})],
  controllers: [CatalogController],
  providers: [own ? GatewayAnnouncer : Announcer],
})
class OneProcess {}

await runHost(OneProcess, { ...HOST, adapter: new FastifyAdapter() });
