import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Configuration, ConfigurationModule, type SettingsOf, withParts } from '@apix/hostx';
import { startHost } from '@apix/hostx/testing';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { ConfigModule, ConfigService } from '@nestjs/config';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { loggingSchema } from '../config/logging-schema.js';
import { registerSinkType } from '../config/sink-types.js';
import { Level, LEVELS } from '../levels/level.js';
import type { Logger } from '../logger/logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { LogxModule } from './logx.module.js';
import type { LogxModuleOptions } from './logx-module-options.js';
import { LOGX_LOGGER } from './tokens.js';

const schema = withParts(z.strictObject({ port: z.number().default(80) }), {
  logging: loggingSchema,
});
type Settings = SettingsOf<typeof schema>;

const passwords: (string | undefined)[] = [];
let folder: string;
let file: string;

beforeAll(() => {
  registerSinkType('vault', (_settings, entry) => {
    const password = entry.decodeOptions((fields) => fields.text('password'));
    return customSink(() => {
      passwords.push(password);
      return { write: () => {} };
    });
  });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logx-'));
  file = join(folder, 'config.yaml');
  passwords.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

const lowest = (log: Logger): Level =>
  Object.values(LEVELS).find((level) => log.enabled(level)) ?? Level.Fatal;

/** An app whose one configuration has a part for its logger. */
function appOf(env: Readonly<Record<string, string>> = {}, environment = 'Staging') {
  @Module({
    imports: [
      ConfigurationModule.forRoot({ schema, file, env, environment }),
      LogxModule.forRootAsync({
        inject: [Configuration],
        useFactory: (configuration: Configuration<Settings>) => ({
          config: () => configuration.value.logging,
        }),
      }),
    ],
  })
  class App {}
  return App;
}

const messagesIn = async (path: string): Promise<unknown[]> =>
  (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { message: string }).message);

describe("a logger in the app's configuration", () => {
  it('takes its part from files, the profile, variables and secret files', async () => {
    const path = join(folder, 'log.json');
    const secret = join(folder, 'secret');
    await writeFile(secret, '123456\n');
    await writeFile(file, `logging:\n  level: error\n  fields: { service: shop }\n`);
    await writeFile(
      join(folder, 'config.staging.yaml'),
      `logging:\n  sinks: [{ type: file, path: '${path}' }, { type: vault, options: {} }]\n`,
    );
    const env = {
      APP_LOGGING__LEVEL: 'warning',
      APP_LOGGING__SINKS__1__OPTIONS__PASSWORD_FILE: secret,
    };
    const { app, stop } = await startHost(appOf(env), { http: false });
    const log = app!.get<Logger>(LOGX_LOGGER);
    log.information('not this');
    log.warning('this');
    await stop();
    expect(await messagesIn(path)).toEqual(['this']);
    expect(await readFile(path, 'utf8')).toContain('"service":"shop"');
    expect(passwords).toEqual(['123456']);
  });

  it("is refused with the app's other mistakes, each with its place", async () => {
    await writeFile(
      file,
      'port: high\nlogging:\n  level: loud\n  sinks:\n    - { type: pigeon }\n',
    );
    const env = { APP_LOGGING__LEVL: 'debug' };
    const error = await startHost(appOf(env), { http: false }).catch((e: unknown) => e as Error);
    expect((error as Error).message.replaceAll(`${folder}/`, '').split('\n  ')).toEqual([
      'hostx: configuration: 4 mistakes:',
      expect.stringMatching(/^port: .* \(config.yaml:1\)$/),
      expect.stringMatching(/^logging.level: unknown level "loud"; .* \(config.yaml:3\)$/),
      'logging.levl: is not known here; did you mean level? (APP_LOGGING__LEVL)',
      expect.stringMatching(
        /^logging.sinks\[0\]: unknown sink type "pigeon"; .* \(config.yaml:5\)$/,
      ),
    ]);
  });

  it('takes its level again on a reload of the configuration', async () => {
    await writeFile(file, 'logging: { level: warning, sinks: [{ type: vault }] }\n');
    const { app, host, stop } = await startHost(appOf(), { http: false });
    const log = app!.get<Logger>(LOGX_LOGGER);
    const level = (): Level => lowest(log);
    expect(level()).toBe(Level.Warning);
    await writeFile(file, 'logging: { level: debug, sinks: [{ type: vault }] }\n');
    await host.reload();
    expect(level()).toBe(Level.Debug);
    await writeFile(file, 'logging: { level: deaf, sinks: [{ type: vault }] }\n');
    await expect(host.reload()).rejects.toThrow(/logging\.level: unknown level "deaf"/);
    expect(level()).toBe(Level.Debug);
    await writeFile(file, '');
    await host.reload();
    expect(level()).toBe(Level.Information);
    await stop();
  });

  it('takes its levels by name from variables, and again on a reload', async () => {
    const logging = (levels: string): string =>
      `logging: { levels: ${levels}, sinks: [{ type: vault }] }\n`;
    await writeFile(file, logging('{ orders: error, orders.mail: debug }'));
    const env = { APP_LOGGING__LEVELS__ORDERS: 'warning' };
    const { app, host, stop } = await startHost(appOf(env), { http: false });
    const log = app!.get<Logger>(LOGX_LOGGER);
    log.levels.set('verbose', 'cart');
    const level = (name: string): Level => lowest(log.named(name));
    const levels = (): Level[] => ['orders', 'orders.mail', 'cart'].map(level);
    expect(levels()).toEqual([Level.Warning, Level.Debug, Level.Verbose]);
    await writeFile(file, logging('{ orders: error, cart: error }'));
    await host.reload();
    expect(levels()).toEqual([Level.Warning, Level.Warning, Level.Verbose]);
    await writeFile(file, logging('{ orders.mail: deaf, cart: error }'));
    await expect(host.reload()).rejects.toThrow(
      /logging\.levels\.orders\.mail: unknown level "deaf"; .*config\.yaml:1\)/,
    );
    expect(levels()).toEqual([Level.Warning, Level.Warning, Level.Verbose]);
    await stop();
  });

  it('may also be given as options, which nothing reads again', async () => {
    await writeFile(
      file,
      'logging: { level: warning, sinks: [{ type: vault }], probes: off, render: null }\n',
    );
    @Module({
      imports: [
        ConfigurationModule.forRoot({ schema, file, env: {} }),
        LogxModule.forRootAsync({
          inject: [Configuration],
          useFactory: ({ value }: Configuration<Settings>) => value.logging,
        }),
      ],
    })
    class App {}
    const { app, host, stop } = await startHost(App, { http: false });
    const log = app!.get<Logger>(LOGX_LOGGER);
    log.levels.set('debug');
    await writeFile(file, 'logging: { level: error, sinks: [{ type: vault }] }\n');
    await host.reload();
    expect(lowest(log)).toBe(Level.Debug);
    await stop();
  });

  it.each<[string, (config: ConfigService) => LogxModuleOptions]>([
    ['as options', (config) => config.getOrThrow('logging')],
    ['as a document', (config) => ({ config: () => config.getOrThrow('logging') })],
    ['without a part', (config) => ({ config: () => config.get('none') })],
  ])('comes from @nestjs/config %s', async (what, useFactory) => {
    const logging = { level: 'debug', sinks: [{ type: 'vault' }], fields: { service: 'shop' } };
    @Module({
      imports: [
        ConfigModule.forRoot({ ignoreEnvFile: true, load: [() => ({ logging })] }),
        LogxModule.forRootAsync({ imports: [ConfigModule], inject: [ConfigService], useFactory }),
      ],
    })
    class App {}
    const app = await NestFactory.createApplicationContext(App, { logger: false });
    const expected = what === 'without a part' ? Level.Information : Level.Debug;
    expect(lowest(app.get<Logger>(LOGX_LOGGER))).toBe(expected);
    await app.close();
  });
});
