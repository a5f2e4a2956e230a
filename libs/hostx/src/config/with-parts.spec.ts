import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ConfigurationError } from './load-configuration.js';
import { type ConfigurationOptions, loadConfiguration } from './load-configuration.js';
import type { StandardSchema } from './standard-schema.js';
import { type SettingsOf, withParts } from './with-parts.js';

const PART = z.strictObject({
  level: z.enum(['info', 'debug']).default('info'),
  sinks: z.array(z.object({ url: z.url(), password: z.string().optional() })).default([]),
});
const REST = z.strictObject({
  port: z.number().default(80),
  db: z.object({ password: z.string().optional() }).default({}),
});
const SCHEMA = withParts(REST, { logging: PART });

let folder: string;
let file: string;
const unread: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'configuration-'));
  file = join(folder, 'app.yaml');
  unread.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

async function load<T>(
  text: string,
  env: Record<string, string> = {},
  schema: StandardSchema<T> = SCHEMA as never,
): Promise<T> {
  await writeFile(file, text);
  const onUnread = (texts: readonly string[]): void => void unread.push(...texts);
  const options: ConfigurationOptions<T> = { schema, file, env, onUnread };
  return loadConfiguration(options);
}

async function mistakesOf(text: string, env: Record<string, string> = {}) {
  const error = await load(text, env).catch((e: unknown) => e as ConfigurationError);
  return (error as ConfigurationError).mistakes.map((one) => one.replaceAll(`${folder}/`, ''));
}

describe('a schema with parts', () => {
  it('makes one value of what the schemas make', async () => {
    const settings: SettingsOf<typeof SCHEMA> = await load('port: 1\nlogging: { sinks: [] }\n', {
      APP_LOGGING__LEVEL: 'debug',
    });
    expect(settings).toEqual({ port: 1, db: {}, logging: { level: 'debug', sinks: [] } });
    expect(Object.isFrozen(settings.logging.sinks)).toBe(true);
    expect(unread).toEqual([]);
  });

  it('lists the mistakes of all with their places', async () => {
    const text = 'port: high\nlogging:\n  level: loud\n  sinks:\n    - { url: 1 }\n';
    expect(await mistakesOf(text)).toEqual([
      expect.stringMatching(/^port: .*\(app.yaml:1\)$/),
      expect.stringMatching(/^logging\.level: .*\(app.yaml:3\)$/),
      expect.stringMatching(/^logging\.sinks\[0\]\.url: .*\(app.yaml:5\)$/),
    ]);
    expect(await mistakesOf('', { APP_LOGGING__LEVEL: 'loud', APP_PORT: 'high' })).toEqual([
      expect.stringMatching(/^port: .*\(APP_PORT\)$/),
      expect.stringMatching(/^logging\.level: .*\(APP_LOGGING__LEVEL\)$/),
    ]);
  });

  it('knows which variables each schema reads, also as files of secrets', async () => {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'one two');
    const sinks = 'logging: { sinks: [{ url: "http://a" }] }\n';
    const env = {
      APP_PROT: '1',
      APP_LOGGING__SINKS__0__PASSWORD_FILE: secret,
      APP_DB__PASSWORD_FILE: secret,
    };
    const settings = await load(sinks, env, withParts(REST.strip(), { logging: PART }));
    expect(settings).toMatchObject({
      logging: { sinks: [{ password: 'one two' }] },
      db: { password: 'one two' },
    });
    expect(unread).toEqual(['APP_PROT: the schema has no setting prot; did you mean APP_PORT?']);
  });

  it('gives a part that is absent to its schema, and none of it to the other', async () => {
    const seen: unknown[] = [];
    const spy = (vendor: string): StandardSchema<object> => ({
      '~standard': {
        version: 1,
        vendor,
        validate: (value) => {
          seen.push([vendor, value]);
          return { value: { made: vendor } };
        },
      },
    });
    const schema = withParts(spy('rest'), { a: spy('a') });
    expect(await schema['~standard'].validate({ b: 1 })).toEqual({
      value: { made: 'rest', a: { made: 'a' } },
    });
    await schema['~standard'].validate({ a: 2, b: 1 });
    expect(seen).toEqual([
      ['rest', { b: 1 }],
      ['a', undefined],
      ['rest', { b: 1 }],
      ['a', 2],
    ]);
  });

  it('says of a value that is no object what all schemas say, and does not throw', async () => {
    const needed: StandardSchema<object> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) =>
          value === undefined ? { issues: [{ message: 'is needed' }] } : { value: {} },
      },
    };
    const schema = withParts(REST, { logging: needed });
    for (const value of [null, undefined, 'text', [1]]) {
      const { issues } = await schema['~standard'].validate(value);
      expect(issues?.map(({ path }) => path ?? [])).toEqual([[], ['logging']]);
    }
  });

  it('answers a schema that asks for a key with "in" as if the parts were not there', async () => {
    const asked: unknown[] = [];
    const rest: StandardSchema<object> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value) => {
          asked.push(['port', 'host', 'logging'].filter((key) => key in (value as object)));
          return { value: {} };
        },
      },
    };
    await load('port: 1\nlogging: {}\n', {}, withParts(rest, { logging: PART }));
    // Once to see what is read, and once for what is made of it.
    expect(asked).toEqual([['port'], ['port']]);
  });

  it('refuses a schema that does not make a plain object', async () => {
    class Settings {}
    const instance = withParts(
      z.object({}).transform(() => new Settings()),
      { logging: PART },
    );
    await expect(load('logging: {}', {}, instance)).rejects.toThrow(
      'hostx: configuration: the configuration: the schema next to the parts must produce a plain object',
    );
  });
});
