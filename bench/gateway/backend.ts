import 'reflect-metadata';
import { runHost } from '@apix/hostx';
import { Module } from '@nestjs/common';
import { BackendAnnouncer, CatalogController, HOST, catalog } from './catalog.ts';

@Module({ imports: catalog(), controllers: [CatalogController], providers: [BackendAnnouncer] })
class Backend {}

await runHost(Backend, HOST);
