import 'reflect-metadata';
import { GatewayModule } from '@apix/gateway';
import { runHost } from '@apix/hostx';
import { Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Announcer, CatalogController, HOST, catalog } from './catalog.ts';

@Module({
  imports: [...catalog(), GatewayModule.forRoot({})],
  controllers: [CatalogController],
  providers: [Announcer],
})
class OneProcess {}

await runHost(OneProcess, { ...HOST, adapter: new FastifyAdapter() });
