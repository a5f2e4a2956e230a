import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RELOADABLE, type Reloadable } from '@apix/contracts';
import { Global, Injectable, Logger, Module } from '@nestjs/common';
import { z } from 'zod';
import { OnReload } from '../nest/hook.decorators.js';
import { ConfigurationModule } from '../nest/configuration.module.js';
import { startHost } from '../testing/start-host.js';
import { Configuration } from './configuration.js';

const schema = z.object({ level: z.string(), port: z.number() });
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'configuration-'));
  file = join(folder, 'app.yaml');
  await writeFile(file, 'level: info\nport: 1\n');
});
afterEach(() => rm(folder, { recursive: true }));

describe('reload', () => {
  it('reads everything again and tells the listeners what has changed', async () => {
    const configuration = await Configuration.load({ schema, file, env: { APP_PORT: '2' } });
    expect(configuration.value).toEqual({ level: 'info', port: 2 });
    const told: string[] = [];
    const off = configuration.onChange(
      ({ level }, before) => void told.push(`${before.level} ${level}`),
    );
    await configuration.reload();
    expect(told).toEqual([]);
    await writeFile(file, 'level: debug\nport: 1\n');
    await configuration.reload();
    expect(configuration.value).toEqual({ level: 'debug', port: 2 });
    expect(told).toEqual(['info debug']);
    off();
    await writeFile(file, 'level: error\nport: 1\n');
    await configuration.reload();
    expect(told).toEqual(['info debug']);
  });

  it('keeps what it had where the sources are wrong now', async () => {
    const configuration = await Configuration.load({ schema, file, env: {} });
    await writeFile(file, 'level: debug\nport: high\n');
    await expect(configuration.reload()).rejects.toThrow('port: ');
    expect(configuration.value).toEqual({ level: 'info', port: 1 });
  });

  it('tells every listener, also after one that fails', async () => {
    const configuration = await Configuration.load({ schema, file, env: {} });
    let told = 0;
    configuration.onChange(() => {
      throw new Error('no');
    });
    configuration.onChange(() => void told++);
    await writeFile(file, 'level: debug\nport: 1\n');
    await expect(configuration.reload()).rejects.toThrow('hostx: configuration: listeners failed');
    expect(told).toBe(1);
    expect(configuration.value.level).toBe('debug');
  });
});

describe('ConfigurationModule', () => {
  it('provides the configuration, which a reload of the host reads before all else', async () => {
    const seen: string[] = [];
    @Injectable()
    class Reader {
      constructor(private readonly configuration: Configuration<z.infer<typeof schema>>) {
        seen.push(configuration.value.level);
      }
      @OnReload() reloaded() {
        seen.push(this.configuration.value.level);
      }
    }
    @Injectable()
    class Levels implements Reloadable {
      readonly [RELOADABLE] = true as const;
      readonly name = 'levels';
      constructor(private readonly configuration: Configuration<z.infer<typeof schema>>) {}
      reload() {
        seen.push(`levels ${this.configuration.value.level}`);
      }
    }
    @Global()
    @Module({ providers: [Reader, Levels] })
    class Feature {}
    @Module({ imports: [Feature, ConfigurationModule.forRoot({ schema, file, env: {} })] })
    class Root {}
    const { host } = await startHost(Root);
    await writeFile(file, 'level: debug\nport: 1\n');
    await host.reload();
    expect(seen).toEqual(['info', 'levels debug', 'debug']);
  });

  it('keeps an app with a wrong configuration from starting', async () => {
    @Module({ imports: [ConfigurationModule.forRoot({ schema, file, env: { APP_PORT: 'x' } })] })
    class Root {}
    await expect(startHost(Root)).rejects.toThrow(/^hostx: configuration: port: .*APP_PORT/);
  });

  it("has Nest's logger name a variable that the schema does not know", async () => {
    const warn = jest.spyOn(Logger, 'warn').mockImplementation(() => {});
    @Module({ imports: [ConfigurationModule.forRoot({ schema, file, env: { APP_PROT: '2' } })] })
    class Root {}
    await startHost(Root);
    expect(warn.mock.calls).toEqual([
      ['APP_PROT: the schema has no setting prot; did you mean APP_PORT?', 'Configuration'],
    ]);
    warn.mockRestore();
  });

  it('reads a secret from its file again at a reload', async () => {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'one');
    const env = { APP_PASSWORD_FILE: secret };
    const configuration = await Configuration.load({
      schema: z.object({ password: z.string() }),
      file,
      env,
    });
    await writeFile(secret, 'two');
    await configuration.reload();
    expect(configuration.value).toEqual({ password: 'two' });
  });
});
