import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AuthzModule } from '@apix/authz';
import { CronModule } from '@apix/cron';
import { GatewayModule } from '@apix/gateway';
import { GrpcModule, connectGrpc } from '@apix/grpc';
import { ValidationModule } from '@apix/grpc/validation';
import { HostxModule } from '@apix/hostx';
import { HealthModule } from '@apix/hostx/health';
import { HostPageModule } from '@apix/host-page';
import { SingleInstanceModule, SystemdModule } from '@apix/hostx-os';
import { MetricsModule } from '@apix/otel';
import { LOGX_LOGGER, Level, LogxModule } from '@apix/logx';
import { ProtoModule } from '@apix/proto';
import { SwaggerUiModule } from '@apix/swagger-ui';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, type DynamicModule, Get, Module } from '@nestjs/common';
import { ConfigModule, ConfigService, registerAs } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { PLAIN_SHOP } from '../../../tools/testing/plain-shop.js';

const SHOP = ProtoModule.forRoot({ descriptors: PLAIN_SHOP });

interface AsyncOptions {
  readonly imports: [typeof ConfigModule];
  readonly inject: [typeof ConfigService];
  readonly useFactory: (config: ConfigService) => object;
}

interface Row {
  readonly module: string;
  /** The key of the `.env` file, and a value with a mistake. */
  readonly key: string;
  readonly wrong: string;
  readonly says: RegExp;
  readonly options: (value: unknown) => object;
  readonly sync: (options: never) => DynamicModule;
  readonly async: (options: AsyncOptions & { readonly useFactory: never }) => DynamicModule;
  readonly beside?: readonly DynamicModule[];
}

/** Text as `.env` files have it, where the option is of another type or another text. */
const ROWS: readonly Row[] = [
  {
    module: 'AuthzModule',
    key: 'UNANNOTATED',
    wrong: 'closed',
    says: /unannotated: must be one of "allow", "deny", not "closed"/,
    options: (unannotated) => ({ unannotated, subject: () => null }),
    sync: (options) => AuthzModule.forRoot(options),
    async: (options) => AuthzModule.forRootAsync(options),
  },
  {
    module: 'LogxModule',
    key: 'LOG_LEVEL',
    wrong: 'loud',
    says: /level: .*"loud"/,
    options: (level) => ({ level }),
    sync: (options) => LogxModule.forRoot(options),
    async: (options) => LogxModule.forRootAsync(options),
  },
  {
    module: 'HostxModule',
    key: 'SHUTDOWN_TIMEOUT',
    wrong: 'soon',
    says: /shutdownTimeout: "soon" is not a valid duration/,
    options: (shutdownTimeout) => ({ shutdownTimeout }),
    sync: (options) => HostxModule.forRoot(options),
    async: (options) => HostxModule.forRootAsync(options),
  },
  {
    module: 'HealthModule',
    key: 'HEALTH_TIMEOUT',
    wrong: '3',
    says: /timeout: "3" is not a valid duration/,
    options: (timeout) => ({ timeout }),
    sync: (options) => HealthModule.forRoot(options),
    async: (options) => HealthModule.forRootAsync(options),
  },
  {
    module: 'HostPageModule',
    key: 'PAGE_INTERVAL',
    wrong: 'often',
    says: /interval: "often" is not a valid duration/,
    options: (interval) => ({ interval }),
    sync: (options) => HostPageModule.forRoot({ ...(options as object), public: true }),
    async: (options) => HostPageModule.forRootAsync({ ...options, public: true }),
    beside: [HostxModule.forRoot()],
  },
  {
    module: 'GrpcModule',
    key: 'GRPC_PORT',
    wrong: '50051',
    says: /port: must be .*, not "50051"/,
    options: (port) => ({ port }),
    sync: (options) => GrpcModule.forRoot(options),
    async: (options) => GrpcModule.forRootAsync(options),
    beside: [SHOP],
  },
  {
    module: 'ValidationModule',
    key: 'FAIL_FAST',
    wrong: 'true',
    says: /failFast: must be true or false, not "true"/,
    options: (failFast) => ({ failFast }),
    sync: (options) => ValidationModule.forRoot(options),
    async: (options) => ValidationModule.forRootAsync(options),
    beside: [SHOP],
  },
  {
    module: 'GatewayModule',
    key: 'MAX_BODY',
    wrong: '1048576',
    says: /maxBodyBytes: must be .*, not "1048576"/,
    options: (maxBodyBytes) => ({ mount: '/', endpoint: 'localhost:1', maxBodyBytes }),
    sync: (options) => GatewayModule.forRoot(options),
    async: (options) => GatewayModule.forRootAsync(options),
    beside: [SHOP],
  },
  {
    module: 'CronModule',
    key: 'TIME_ZONE',
    wrong: 'Berlin',
    says: /timeZone: "Berlin" is not a time zone/,
    options: (timeZone) => ({ timeZone }),
    sync: (options) => CronModule.forRoot(options),
    async: (options) => CronModule.forRootAsync(options),
    beside: [HostxModule.forRoot()],
  },
  {
    module: 'MetricsModule',
    key: 'METRICS_PATH',
    wrong: 'metrics',
    says: /path: "metrics" is not a path/,
    options: (path) => ({ path }),
    sync: (options) => MetricsModule.forRoot(options),
    async: (options) => MetricsModule.forRootAsync(options),
    beside: [HostxModule.forRoot()],
  },
  {
    module: 'ProtoModule',
    key: 'DESCRIPTORS',
    wrong: 'gen/nothing.binpb',
    says: /gen\/nothing\.binpb/,
    options: (descriptors) => ({ descriptors }),
    sync: (options) => ProtoModule.forRoot(options),
    async: (options) => ProtoModule.forRootAsync(options),
  },
  {
    module: 'SingleInstanceModule',
    key: 'LOCK_NAME',
    wrong: 'a/b',
    says: /a\/b/,
    options: (name) => ({ name }),
    sync: (options) => SingleInstanceModule.forRoot(options),
    async: (options) => SingleInstanceModule.forRootAsync(options),
  },
  {
    module: 'SystemdModule',
    key: 'EXTEND',
    wrong: 'no',
    says: /extendTimeouts: must be true or false, not "no"/,
    options: (extendTimeouts) => ({ extendTimeouts }),
    sync: (options) => SystemdModule.forRoot(options),
    async: (options) => SystemdModule.forRootAsync(options),
    beside: [HostxModule.forRoot()],
  },
  {
    module: 'SwaggerUiModule',
    key: 'SPECS',
    wrong: '/openapi.json',
    says: /specs/,
    options: (specs) => ({ specs }),
    sync: (options) => SwaggerUiModule.forRoot(options),
    async: (options) => SwaggerUiModule.forRootAsync(options),
  },
];

async function failureOf(module: () => DynamicModule, beside: readonly DynamicModule[]) {
  try {
    @Module({ imports: [...beside, module()] })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    try {
      await app.init();
    } finally {
      await app.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
  return 'no error';
}

@Controller('reports')
class Reports {
  @Get()
  list(): string {
    return 'all';
  }
}

describe('options from @nestjs/config', () => {
  let folder: string;
  let envFilePath: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'apix-config-'));
    envFilePath = join(folder, '.env');
    const wrong = ROWS.map(({ key, wrong: value }) => `APIX_TEST_${key}=${value}`);
    const right = ['LOG_LEVEL=warning', 'GRPC_PORT=0', 'UNANNOTATED=deny', 'METRICS=/figures'];
    writeFileSync(envFilePath, [...wrong, ...right].join('\n'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(ROWS)('of $module are refused as those of forRoot are', async (row) => {
    const { key, wrong, says, options, sync, async: asyncModule, beside = [] } = row;
    const config = ConfigModule.forRoot({ envFilePath, isGlobal: true });
    const given = await failureOf(() => sync(options(wrong) as never), beside);
    expect(given).toMatch(says);
    const configured = await failureOf(
      () =>
        asyncModule({
          imports: [ConfigModule],
          inject: [ConfigService],
          useFactory: ((values: ConfigService) => options(values.get(`APIX_TEST_${key}`))) as never,
        }),
      [await config, ...beside],
    );
    expect(configured).toBe(given);
  });

  it('come from the file, by a namespace and as validate has converted them', async () => {
    const schema = z.object({
      LOG_LEVEL: z.string(),
      GRPC_PORT: z.coerce.number(),
      UNANNOTATED: z.enum(['allow', 'deny']),
      METRICS: z.string(),
    });
    const log = registerAs('log', () => ({ level: process.env['LOG_LEVEL'] }));
    const imports = [ConfigModule];
    const inject = [ConfigService];
    @Module({
      imports: [
        ConfigModule.forRoot({ envFilePath, load: [log], validate: (env) => schema.parse(env) }),
        SHOP,
        LogxModule.forRootAsync({
          imports,
          inject,
          useFactory: (config: ConfigService) => ({ level: config.getOrThrow('log.level') }),
        }),
        AuthzModule.forRootAsync({
          imports,
          inject,
          useFactory: (config: ConfigService) => ({
            subject: () => null,
            unannotated: config.getOrThrow<'allow' | 'deny'>('UNANNOTATED'),
          }),
        }),
        HostxModule.forRoot(),
        GrpcModule.forRootAsync({
          imports,
          inject,
          useFactory: (config: ConfigService) => ({ port: config.getOrThrow<number>('GRPC_PORT') }),
        }),
        MetricsModule.forRootAsync({
          imports,
          inject,
          useFactory: (config: ConfigService) => ({ path: config.getOrThrow('METRICS') }),
        }),
      ],
      controllers: [Reports],
    })
    class AppModule {}
    const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
    try {
      connectGrpc(app);
      await app.listen(0, '127.0.0.1');
      const figures = await fetch(`${await app.getUrl()}/figures`);
      expect(await figures.text()).toContain('hostx_host_up');
      expect(app.get(LOGX_LOGGER, { strict: false }).enabled(Level.Information)).toBe(false);
      expect(app.get(LOGX_LOGGER, { strict: false }).enabled(Level.Warning)).toBe(true);
      expect((await fetch(`${await app.getUrl()}/reports`)).status).toBe(403);
    } finally {
      await app.close();
    }
  });
});
