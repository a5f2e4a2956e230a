import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { heldByApps, type HeldByApps } from '../../../tools/testing/apps-in-turn.js';
import { type Program, program } from '../../../tools/testing/program.js';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const FOLDER = new URL('./', import.meta.url);

/** An app with modules of a package, and how it starts. */
interface Row {
  /** Imports and declarations of the program. */
  readonly code: string;
  readonly modules: readonly string[];
  /** Further members of the app's module. */
  readonly parts?: string;
  readonly start?: string;
}

const LISTEN = `
  const app = await NestFactory.create(App, QUIET);
  app.enableShutdownHooks();
  await app.listen(0, '127.0.0.1');
  await (await fetch(await app.getUrl(), { headers: { connection: 'close' } })).text();
  return app;
`;

const CONTEXT = 'return NestFactory.createApplicationContext(App, QUIET);';

const HOST = 'HostxModule.forRoot({ logger: null })';
const PROTO = `ProtoModule.forRoot({ descriptors: '${PLAIN_SHOP}' })`;

/** A folder for files of a program, which it removes. */
const FOLDER_CODE = `
  import { mkdtempSync, rmSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  const folder = mkdtempSync(tmpdir() + '/apps-in-turn-');
  process.on('exit', () => rmSync(folder, { recursive: true }));
`;

const LOCK = "SingleInstanceModule.forRoot({ path: folder + '/lock' })";

const ROWS: Readonly<Record<string, Row>> = {
  'logx with a file and sinks of its own': {
    code: `
      import { consoleSink, customSink, fileSink, LogxModule } from '@apix/logx';
      ${FOLDER_CODE}
      const own = () => ({ write() {}, flushSync() {}, close() {} });
    `,
    modules: [
      `LogxModule.forRootAsync({
        useFactory: () => ({
          sinks: [
            fileSink(folder + '/app.log', { async: true, rotation: { every: 'daily' } }),
            consoleSink({ target: 'stderr', gather: 5 }),
            customSink(own, { kind: 'own', async: true }),
          ],
        }),
      })`,
    ],
  },
  'logx in a context, with a sink that ships': {
    code: `
      import { LogxModule } from '@apix/logx';
      import { elasticSink } from '@apix/logx-elastic';
    `,
    modules: [
      `LogxModule.forRootAsync({
        useFactory: () => ({
          sinks: [elasticSink({ addresses: ['http://127.0.0.1:1'], index: 'logs' })],
        }),
      })`,
    ],
    start: CONTEXT,
  },
  'logx under a host': {
    code: `
      import { HostxModule } from '@apix/hostx';
      import { fileSink, LogxModule } from '@apix/logx';
      ${FOLDER_CODE}
    `,
    modules: [
      HOST,
      `LogxModule.forRootAsync({
        useFactory: () => ({ sinks: [fileSink(folder + '/app.log')] }),
      })`,
    ],
  },
  'hostx with health and its page': {
    code: `
      import { HostxModule } from '@apix/hostx';
      import { HealthModule } from '@apix/hostx/health';
      import { HostPageModule } from '@apix/host-page';
    `,
    modules: [HOST, 'HealthModule.forRoot()', 'HostPageModule.forRoot({ public: true })'],
  },
  'hostx-os under a host': {
    code: `
      import { HostxModule } from '@apix/hostx';
      import { SingleInstanceModule, SystemdModule } from '@apix/hostx-os';
      ${FOLDER_CODE}
    `,
    modules: [HOST, 'SystemdModule.forRoot({})', LOCK],
  },
  'hostx-os without a host': {
    code: `
      import { SingleInstanceModule } from '@apix/hostx-os';
      ${FOLDER_CODE}
    `,
    modules: [LOCK],
  },
  cron: {
    code: `
      import { HostxModule } from '@apix/hostx';
      import { CronModule, Every } from '@apix/cron';
      @Injectable() class Outbox { @Every('sweep', '1h', { runImmediately: true }) sweep() {} }
    `,
    modules: [HOST, 'CronModule.forRoot({})'],
    parts: 'providers: [Outbox]',
  },
  'grpc, and gateway in its process': {
    code: `
      import { GatewayModule } from '@apix/gateway';
      import { GrpcModule, GrpcService } from '@apix/grpc';
      import { ProtoModule } from '@apix/proto';
      import { Catalog } from '../src/gen/shop/v1/catalog_pb.js';
      @GrpcService(Catalog) class CatalogController { get({ name }) { return { name }; } }
    `,
    modules: [
      PROTO,
      "GrpcModule.forRoot({ port: 0, host: '127.0.0.1', reflection: true })",
      'GatewayModule.forRoot()',
    ],
    parts: 'controllers: [CatalogController]',
  },
  'gateway over a network': {
    code: `
      import { GatewayModule } from '@apix/gateway';
      import { ProtoModule } from '@apix/proto';
    `,
    modules: [PROTO, "GatewayModule.forRoot({ endpoint: '127.0.0.1:1' })"],
  },
  otel: {
    code: `
      import { MetricsModule, TracingModule } from '@apix/otel';
      import { InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
    `,
    modules: [
      'MetricsModule.forRoot()',
      `TracingModule.forRootAsync({
        useFactory: () => ({ exporter: new InMemorySpanExporter() }),
      })`,
    ],
  },
  authz: {
    code: `
      import { AuthzModule } from '@apix/authz';
      import { ProtoModule } from '@apix/proto';
    `,
    modules: [PROTO, 'AuthzModule.forRoot({ subject: () => null })'],
  },
};

function codeOf({ code, modules, parts = '', start = LISTEN }: Row): string {
  return `
    import 'reflect-metadata';
    import { Injectable, Module } from '@nestjs/common';
    import { NestFactory } from '@nestjs/core';
    import { runInTurn } from '../../../tools/testing/apps-in-turn.js';
    ${code}
    const QUIET = { logger: false, abortOnError: false };
    await runInTurn(async () => {
      @Module({ imports: [${modules.join()}], ${parts} })
      class App {}
      ${start}
    });
  `;
}

describe.each(Object.entries(ROWS))('twelve apps in turn: %s', (_, row) => {
  let built: Program;
  let held: HeldByApps;
  beforeAll(async () => {
    built = await program({ code: codeOf(row), folder: FOLDER });
    held = await heldByApps(built);
  });
  afterAll(() => built.remove());

  it('leave nothing to the process', () => {
    expect(held.afterTwelve).toEqual(held.afterTwo);
    expect(held.warnings).toEqual([]);
  });
});
