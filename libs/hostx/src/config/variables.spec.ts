import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { z } from 'zod';
import type { ConfigurationError } from './load-configuration.js';
import { type ConfigurationOptions, loadConfiguration } from './load-configuration.js';

const db = z.object({ url: z.string().default('local'), password: z.string().optional() });
const schema = z.object({ db: db.default({ url: 'local' }), poolSize: z.number().default(10) });

let folder: string;
let unread: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'variables-'));
  unread = [];
});
afterEach(() => rm(folder, { recursive: true }));

const inFolder = (name: string): string => join(folder, name);

async function load(
  env: Readonly<Record<string, string>>,
  more: Partial<ConfigurationOptions<unknown>> = {},
): Promise<unknown> {
  const onUnread = (variables: readonly string[]): void => void unread.push(...variables);
  await writeFile(inFolder('config.yaml'), '', { flag: 'a' });
  return loadConfiguration({ schema, file: inFolder('config'), env, onUnread, ...more });
}

async function mistakesOf(...given: Parameters<typeof load>): Promise<readonly string[]> {
  const error = await load(...given).catch((e: unknown) => e as ConfigurationError);
  return (error as ConfigurationError).mistakes.map((one) => one.replaceAll(`${folder}/`, ''));
}

describe('a variable that ends in _FILE', () => {
  it.each([
    ['a line', 'pa55\n', 'pa55'],
    ['a line of Windows', 'pa55\r\n', 'pa55'],
    ['no line break', 'pa55', 'pa55'],
    ['lines, but for the last break', 'a\nb\n\n', 'a\nb\n'],
    ['digits, where the schema wants a text', '123456\n', '123456'],
    ['nothing', '', ''],
  ])('reads a secret from a file with %s', async (_, text, password) => {
    await writeFile(inFolder('secret'), text);
    expect(await load({ APP_DB__PASSWORD_FILE: inFolder('secret') })).toMatchObject({
      db: { url: 'local', password },
    });
    expect(unread).toEqual([]);
  });

  it('reads a number where the schema wants one', async () => {
    await writeFile(inFolder('size'), '7\n');
    expect(await load({ APP_POOL_SIZE_FILE: inFolder('size') })).toMatchObject({ poolSize: 7 });
  });

  it('is an ordinary setting where the schema has one of that name', async () => {
    const own = z.object({ log: z.string().optional(), logFile: z.string() });
    expect(await load({ APP_LOG_FILE: '/var/log/app' }, { schema: own })).toEqual({
      logFile: '/var/log/app',
    });
  });

  it('is an ordinary setting where the schema takes any', async () => {
    const any = z.record(z.string(), z.unknown());
    expect(await load({ APP_LOG_FILE: '/var/log/app' }, { schema: any })).toEqual({
      logFile: '/var/log/app',
    });
  });

  it('works with a schema that refuses unknown keys', async () => {
    await writeFile(inFolder('secret'), 'pa55');
    const strict = z.strictObject({ password: z.string() });
    expect(await load({ APP_PASSWORD_FILE: inFolder('secret') }, { schema: strict })).toEqual({
      password: 'pa55',
    });
  });

  it('is laid over what the files say', async () => {
    await writeFile(inFolder('config.yaml'), 'db: {password: old, url: there}');
    await writeFile(inFolder('secret'), 'new');
    expect(await load({ APP_DB__PASSWORD_FILE: inFolder('secret') })).toMatchObject({
      db: { password: 'new', url: 'there' },
    });
  });

  it('is a mistake in addition to the variable itself', async () => {
    await writeFile(inFolder('secret'), 'pa55');
    const env = { APP_DB__PASSWORD_FILE: inFolder('secret'), APP_DB__PASSWORD: 'pa55' };
    expect(await mistakesOf(env)).toEqual([
      'APP_DB__PASSWORD_FILE: APP_DB__PASSWORD sets the same; keep one of them',
    ]);
  });

  it.each([
    ['missing', /^APP_DB__PASSWORD_FILE: cannot be read: ENOENT/],
    ['folder', /^APP_DB__PASSWORD_FILE: cannot be read: EISDIR/],
    ['huge', /^APP_DB__PASSWORD_FILE: cannot be read: huge has more than 1048576 bytes$/],
  ])('is the only mistake where its file is %s', async (name, mistake) => {
    await mkdir(inFolder('folder'));
    await writeFile(inFolder('huge'), Buffer.alloc(1_048_577));
    const needed = z.object({ db: z.object({ password: z.string() }) });
    const env = { APP_DB__PASSWORD_FILE: inFolder(name) };
    expect(await mistakesOf(env, { schema: needed })).toEqual([expect.stringMatching(mistake)]);
  });

  it('never shows what the file has', async () => {
    await writeFile(inFolder('secret'), 's3cret');
    const number = z.object({ pin: z.number() });
    const env = { APP_PIN_FILE: inFolder('secret') };
    const mistakes = await mistakesOf(env, { schema: number });
    expect(mistakes).toEqual([expect.stringMatching(/^pin: .*\(APP_PIN_FILE\)$/)]);
    expect(mistakes.join()).not.toContain('s3cret');
  });
});

describe('a variable whose text is JSON', () => {
  const TEXTS = [
    '"abc"',
    '"',
    '""',
    '"8080"',
    ' "abc" ',
    '123456',
    '007',
    '1e5',
    '1.0',
    '-0',
    '12345678901234567890',
    'true',
    'null',
    '[1,2]',
    '["a"]',
    '{"a":1}',
    '[]',
    ' 5 ',
  ];

  it.each<[string, z.ZodType]>([
    ['a string', z.string()],
    ['an optional string', z.string().optional()],
    ['a string with a default', z.string().default('x')],
    ['what is converted to a string', z.coerce.string()],
    ['a string or a number that becomes one', z.union([z.string(), z.number()]).transform(String)],
  ])('stays as it is where the schema expects %s', async (_, password) => {
    const found = [];
    for (const text of TEXTS) {
      const value = await load({ APP_PASSWORD: text }, { schema: z.object({ password }) });
      found.push((value as { readonly password: string }).password);
    }
    expect(found).toEqual(TEXTS);
  });

  it('stays as it is in a record of strings, and in a file', async () => {
    await writeFile(inFolder('secret'), '"abc"\n');
    const env = { APP_HEADERS__X: '"abc"', APP_PASSWORD_FILE: inFolder('secret') };
    const texts = z.object({
      headers: z.record(z.string(), z.string()),
      password: z.string(),
    });
    expect(await load(env, { schema: texts })).toEqual({
      headers: { x: '"abc"' },
      password: '"abc"',
    });
  });

  it.each<[string, z.ZodType, string, unknown]>([
    ['a number', z.number(), '8080', 8080],
    ['a number in unusual spelling', z.number(), '1e3', 1000],
    ['a boolean', z.boolean(), 'true', true],
    ['null or a string', z.string().nullable(), 'null', null],
    ['an array', z.array(z.string()), '["a"]', ['a']],
    ['one of some strings, which quotes do not begin', z.enum(['a', 'b']), '"a"', 'a'],
    ['a number that becomes a string', z.number().transform((n) => `${n} ms`), '7', '7 ms'],
  ])('is read as JSON where the schema expects %s', async (_, at, text, value) => {
    expect(await load({ APP_AT: text }, { schema: z.object({ at }) })).toEqual({ at: value });
  });
});

describe('a misspelt variable', () => {
  it.each([
    ['APP_DB__ULR', 'the schema has no setting db.ulr; did you mean APP_DB__URL?'],
    ['APP_DBB__URL', 'the schema has no setting dbb; did you mean APP_DB__URL?'],
    [
      'APP_DB__PASWORD_FILE',
      'the schema has no setting db.paswordFile; did you mean APP_DB__PASSWORD_FILE?',
    ],
    ['APP_VERSION', 'the schema has no setting version'],
  ])('%s is named where the configuration is right without', async (variable, text) => {
    expect(await load({ [variable]: 'x' })).toMatchObject({ db: { url: 'local' } });
    expect(unread).toEqual([`${variable}: ${text}`]);
  });

  it.each([
    ['a variable of a known setting', { APP_DB__URL: 'x', APP_POOL_SIZE: '3' }],
    ['the environment', { APP_ENVIRONMENT: 'test' }],
    ['another prefix', { APPLE_DB__ULR: 'x' }],
  ])('is not %s', async (_, env) => {
    await load(env);
    expect(unread).toEqual([]);
  });

  it.each<[string, z.ZodType]>([
    ['any keys', z.record(z.string(), z.unknown())],
    ['unknown keys beside its own', z.looseObject({ a: z.string().optional() })],
    ['a value as it is', z.object({ db: z.unknown() })],
    ['one of several shapes', z.object({ db: z.union([z.object({ a: z.number() }), db]) })],
  ])('is none where the schema takes %s', async (_, any) => {
    await load({ APP_DB__PASSWORD: 'x' }, { schema: any });
    expect(unread).toEqual([]);
  });

  it('is none for a schema that cannot do with being watched', async () => {
    const clones = z.unknown().transform((value) => structuredClone(value));
    expect(await load({ APP_A: '1' }, { schema: clones })).toEqual({ a: 1 });
    expect(unread).toEqual([]);
  });

  it('is named next to the setting that is missing because of it', async () => {
    const needed = z.object({ db: z.object({ url: z.string() }) });
    const env = { APP_DB__ULR: 's3cret', APP_VERSION: '3' };
    expect(await mistakesOf(env, { schema: needed })).toEqual([
      expect.stringMatching(/^db\.url: .*missing; set it in config\.yaml or as APP_DB__URL\)$/),
      'APP_DB__ULR: the schema has no setting db.ulr; did you mean APP_DB__URL?',
    ]);
  });

  it('refuses the configuration where onUnread throws', async () => {
    const onUnread = (): never => {
      throw new Error('no');
    };
    await expect(load({ APP_DB__ULR: 'x' }, { onUnread })).rejects.toThrow('no');
  });

  it('is a warning of the process by default', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    await writeFile(inFolder('config.yaml'), '');
    await loadConfiguration({ schema, file: inFolder('config'), env: { APP_DB__ULR: 'x' } });
    expect(warned.mock.calls).toEqual([
      [
        'hostx: configuration: APP_DB__ULR: the schema has no setting db.ulr; did you mean APP_DB__URL?',
        { code: 'APIX_UNREAD_SETTING' },
      ],
    ]);
    warned.mockRestore();
  });
});

describe('mistakes of every kind', () => {
  const strictly = z.object({
    pool: z.number(),
    name: z.string(),
    late: z.number().optional(),
    sinks: z.array(z.string()).default([]),
  });

  it('are told together, where a variable has a wrong name', async () => {
    await writeFile(inFolder('config.yaml'), 'sinks: [a]\nname: 7\n');
    const env = { APP_SINKS__5: 'x', APP_POOL: 'many', APP_A____B: 'x' };
    expect(await mistakesOf(env, { schema: strictly })).toEqual([
      'APP_A____B: a name between double underscores must not be empty',
      'APP_SINKS__5: 5 is not an index of sinks, which has 1 elements',
      'pool: Invalid input: expected number, received string (APP_POOL)',
      'name: Invalid input: expected string, received number (config.yaml:2)',
    ]);
  });

  it('are told as far as they are certain, where a file cannot be read', async () => {
    await writeFile(inFolder('config.yaml'), 'name: 7\nname: 8\n');
    await writeFile(inFolder('config.test.yaml'), 'late: soon\n');
    const env = { APP_POOL: 'many' };
    expect(await mistakesOf(env, { schema: strictly, environment: 'test' })).toEqual([
      'config.yaml:2: Map keys must be unique',
      'pool: Invalid input: expected number, received string (APP_POOL)',
      'late: Invalid input: expected number, received string (config.test.yaml:1)',
    ]);
  });

  it('leave out what the file that cannot be read may set', async () => {
    await writeFile(inFolder('config.yaml'), 'name: 7\n');
    await writeFile(inFolder('config.test.yaml'), 'a: 1\na: 2\n');
    expect(await mistakesOf({}, { schema: strictly, environment: 'test' })).toEqual([
      'config.test.yaml:2: Map keys must be unique',
    ]);
  });
});
