import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ConfigurationError } from './load-configuration.js';
import { type ConfigurationOptions, loadConfiguration } from './load-configuration.js';
import type { StandardSchema } from './standard-schema.js';

const anything = z.record(z.string(), z.unknown());
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'configuration-'));
});
afterEach(() => rm(folder, { recursive: true }));

interface Given extends Partial<Omit<ConfigurationOptions<unknown>, 'schema'>> {
  readonly files?: Readonly<Record<string, string>>;
  readonly schema?: z.ZodType;
}

async function load(given: Given): Promise<unknown> {
  const { files = { 'config.yaml': '' }, schema = anything, env = {}, ...rest } = given;
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return loadConfiguration({ schema, file: join(folder, 'config'), env, ...rest });
}

/** The mistakes, with the folder taken out. */
async function mistakesOf(given: Given): Promise<readonly string[]> {
  const error = await load(given).catch((e: unknown) => e as ConfigurationError);
  return (error as ConfigurationError).mistakes.map((one) => one.replaceAll(`${folder}/`, ''));
}

const base = { 'config.yaml': 'a: 1\nhttp: {port: 80, hosts: [x, y]}\n' };

describe('the layers', () => {
  it.each<[string, Given, unknown]>([
    ['the base file alone', { files: base }, { a: 1, http: { port: 80, hosts: ['x', 'y'] } }],
    [
      'the file of the environment over it, key by key, arrays replaced',
      {
        files: { ...base, 'config.staging.yaml': 'http: {hosts: [z]}\nb: null\n' },
        environment: 'Staging',
      },
      { a: 1, http: { port: 80, hosts: ['z'] }, b: null },
    ],
    [
      'the environment is what APP_ENVIRONMENT says, which is no setting',
      {
        files: { ...base, 'config.Test.json': '{"a": 2}' },
        env: { APP_ENVIRONMENT: 'test' },
      },
      { a: 2, http: { port: 80, hosts: ['x', 'y'] } },
    ],
    [
      'without it, Production',
      { files: { ...base, 'config.production.yml': 'a: 3' } },
      { a: 3, http: { port: 80, hosts: ['x', 'y'] } },
    ],
    [
      'variables over both',
      {
        files: { ...base, 'config.production.yml': 'a: 3' },
        env: { APP_A: '4', APP_HTTP__PORT: '90', OTHER: 'x' },
      },
      { a: 4, http: { port: 90, hosts: ['x', 'y'] } },
    ],
    [
      'another prefix',
      { files: { 'config.json': '{"a": 1}' }, prefix: 'SHOP_', env: { SHOP_A: '2', APP_A: '3' } },
      { a: 2 },
    ],
    [
      'JSON with comments',
      { files: { 'config.json': '{"a": 1, // why\n"b": 2}' } },
      { a: 1, b: 2 },
    ],
    ['JSON with a byte order mark', { files: { 'config.JSON': '\uFEFF{"a": 1,}' } }, { a: 1 }],
    ['an empty file', { files: { 'config.yaml': '# nothing yet\n' } }, {}],
    [
      'YAML with mappings that are merged',
      { files: { 'config.yaml': 'base: &base {port: 80, host: x}\nhttp: {<<: *base, host: y}\n' } },
      { base: { port: 80, host: 'x' }, http: { port: 80, host: 'y' } },
    ],
  ])('%s', async (_, given, expected) => {
    expect(await load(given)).toEqual(expected);
  });

  it('needs no file where none was named', async () => {
    const schema = z.object({ onlyHere: z.string() });
    const options = { schema, env: { APP_ONLY_HERE: 'yes' }, prefix: 'APP_' };
    expect(await loadConfiguration(options)).toEqual({ onlyHere: 'yes' });
  });

  it('is frozen, but for what a schema has made', async () => {
    const schema = z.object({
      at: z.string().transform((text) => new URL(text)),
      list: z.array(z.number()),
    });
    const value = (await load({
      schema,
      files: { 'config.yaml': 'at: http://a/\nlist: [1]' },
    })) as {
      readonly at: URL;
      readonly list: number[];
    };
    expect(() => value.list.push(2)).toThrow(TypeError);
    expect(Object.isFrozen(value)).toBe(true);
    value.at.pathname = '/x';
    expect(value.at.href).toBe('http://a/x');
  });

  it('is the instance itself where the schema makes one of the whole', async () => {
    class Settings {
      constructor(readonly given: unknown) {}
    }
    const schema = anything.transform((given) => new Settings(given));
    const value = await load({ schema, files: base });
    expect(value).toEqual(new Settings({ a: 1, http: { port: 80, hosts: ['x', 'y'] } }));
    expect(Object.isFrozen(value)).toBe(false);
  });

  it.each<[string, z.ZodType, unknown]>([
    ['an object that is frozen already', z.object({ a: z.number() }).readonly(), { a: 1 }],
    ['no object', anything.transform(({ a }) => `a is ${String(a)}`), 'a is 1'],
  ])('is what the schema makes of the whole, also %s', async (_, schema, expected) => {
    expect(await load({ schema, files: base })).toEqual(expected);
  });
});

describe('the name of a variable', () => {
  const files = {
    'config.yaml':
      'keepAlive: 1\nlog-level: a\nSHOUT: b\nsinks: [{type: x}, {type: y}]\nmap: {"0": a}',
  };
  it.each<[string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>]>([
    ['means a key but for case and _', { APP_KEEP_ALIVE: '2' }, { keepAlive: 2 }],
    ['means a key but for -', { APP_LOG_LEVEL: 'b' }, { 'log-level': 'b' }],
    ['means a key as it is', { APP_SHOUT: 'c' }, { SHOUT: 'c' }],
    ['becomes camelCase where there is no such key', { APP_NEW_KEY: 'x' }, { newKey: 'x' }],
    ['stays as it is in lower case', { APP_other_Key: 'x' }, { other_Key: 'x' }],
    ['makes objects', { APP_A__B_C__D: 'x' }, { a: { bC: { d: 'x' } } }],
    ['takes an index', { APP_SINKS__1__TYPE: 'z' }, { sinks: [{ type: 'x' }, { type: 'z' }] }],
    [
      'may add to an array',
      { APP_SINKS__2__TYPE: 'z' },
      { sinks: [{ type: 'x' }, { type: 'y' }, { type: 'z' }] },
    ],
    ['may make an array', { APP_NEW__0: 'a', APP_NEW__1: 'b' }, { new: ['a', 'b'] }],
    [
      'is a key where there is an object',
      { APP_MAP__0: 'b', APP_MAP__1: 'c' },
      { map: { '0': 'b', '1': 'c' } },
    ],
    [
      'may be of a whole object, changed by longer names',
      { APP_O__P: '2', APP_O: '{"p":1,"q":1}' },
      { o: { p: 2, q: 1 } },
    ],
  ])('%s', async (_, env, expected) => {
    expect(await load({ files, env })).toMatchObject(expected);
  });

  it.each<[string, string, string, string]>([
    [
      'an empty part',
      'APP_A____B',
      'x',
      'APP_A____B: a name between double underscores must not be empty',
    ],
    [
      'no index',
      'APP_SINKS__TYPE',
      'x',
      'APP_SINKS__TYPE: TYPE is not an index of sinks, which has 2 elements',
    ],
    [
      'an index beyond the end',
      'APP_SINKS__3',
      'x',
      'APP_SINKS__3: 3 is not an index of sinks, which has 2 elements',
    ],
    [
      'something inside a value',
      'APP_KEEP_ALIVE__X',
      'x',
      'APP_KEEP_ALIVE__X: keepAlive is a single value; there is nothing inside it to set',
    ],
    [
      'a way to prototypes',
      'APP_constructor__x',
      'x',
      'APP_constructor__x: has a key that is not allowed as the name of a setting',
    ],
    [
      'a way to prototypes inside its value',
      'APP_X',
      '{"a":{"__proto__":{}}}',
      'APP_X: has a key that is not allowed as the name of a setting',
    ],
  ])('%s is a mistake', async (_, name, text, mistake) => {
    expect(await mistakesOf({ files, env: { [name]: text } })).toEqual([mistake]);
  });
});

describe('the value of a variable', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['8080', z.number(), 8080],
    ['8080', z.string(), '8080'],
    ['1.0', z.string(), '1.0'],
    ['1.0', z.number(), 1],
    ['007', z.string(), '007'],
    ['1e3', z.number(), 1000],
    ['true', z.boolean(), true],
    ['false', z.coerce.boolean(), false],
    ['true', z.string(), 'true'],
    ['null', z.null(), null],
    ['', z.string(), ''],
    ['[1, 2]', z.array(z.number()), [1, 2]],
    ['{"a": 1}', z.object({ a: z.number() }), { a: 1 }],
    ['{"a": 1}', z.string(), '{"a": 1}'],
    ['"8080"', z.unknown(), '"8080"'],
    ['12345678901234567890', z.unknown(), '12345678901234567890'],
    ['8080', z.union([z.object({ a: z.string() }), z.string()]), '8080'],
    ['not json', z.unknown(), 'not json'],
  ])('%s read by the schema %#', async (text, type, expected) => {
    const schema = z.object({ x: type });
    expect(await load({ schema, env: { APP_X: text } })).toEqual({ x: expected });
  });

  it('is read the other way only if the schema rejected it, also next to a union', async () => {
    const schema = z.object({
      a: z.unknown(),
      u: z.union([z.object({ pin: z.string() }), z.object({ pin: z.null() })]),
    });
    expect(await load({ schema, env: { APP_A: '1', APP_U__PIN: '1234' } })).toEqual({
      a: 1,
      u: { pin: '1234' },
    });
  });
});

describe('mistakes', () => {
  it('are all listed, with file and line, variable, or how to set what is missing', async () => {
    const schema = z.object({
      name: z.string(),
      http: z.object({ port: z.number(), keepAlive: z.number() }),
      sinks: z.array(z.object({ level: z.enum(['info', 'debug']) })),
      pool: z.number().max(10),
    });
    const given = {
      schema,
      environment: 'test',
      files: {
        'config.yaml': 'name: 7\nhttp:\n  port: 80\nsinks:\n  - level: info\n  - level: loud\n',
        'config.test.yaml': '# over it\nhttp: {port: high}\n',
      },
      env: { APP_POOL: '11' },
    };
    expect(await mistakesOf(given)).toEqual([
      'name: Invalid input: expected string, received number (config.yaml:1)',
      'http.port: Invalid input: expected number, received string (config.test.yaml:2)',
      'http.keepAlive: Invalid input: expected number, received undefined (missing; set it in config.test.yaml or as APP_HTTP__KEEP_ALIVE)',
      'sinks[1].level: Invalid option: expected one of "info"|"debug" (config.yaml:6)',
      'pool: Too big: expected number to be <=10; read as text: Invalid input: expected number, received string (APP_POOL)',
    ]);
  });

  it('name the file of a value that a mapping has from another one', async () => {
    const schema = z.object({ http: z.object({ port: z.number() }) });
    const files = { 'config.yaml': 'base: &base {port: high}\nhttp: {<<: *base}\n' };
    expect(await mistakesOf({ schema, files })).toEqual([
      expect.stringMatching(/^http\.port: Invalid input: .* \(config\.yaml(?::2)?\)$/),
    ]);
  });

  it('are not those that another reading of a variable has mended', async () => {
    const schema = z.object({ password: z.string(), port: z.number() });
    const env = { APP_PASSWORD: '1234', APP_PORT: 'high' };
    expect(await mistakesOf({ schema, env })).toEqual([
      'port: Invalid input: expected number, received string (APP_PORT)',
    ]);
  });

  it('are integers that a number cannot hold', async () => {
    const schema = z.object({ id: z.number() });
    expect(await mistakesOf({ schema, env: { APP_ID: '12345678901234567890' } })).toEqual([
      'id: Invalid input: expected number, received string (APP_ID)',
    ]);
  });

  it('have their place also where the schema gives the parts of a path as objects', async () => {
    const path = [{ key: 'http' }, { key: 'hosts' }, { key: 1 }];
    const schema: StandardSchema<unknown> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: () => ({ issues: [{ message: 'no such host', path }] }),
      },
    };
    const file = join(folder, 'config.yaml');
    await writeFile(file, base['config.yaml']);
    const error = await loadConfiguration({ schema, file, env: {} }).catch((e: unknown) => e);
    expect((error as ConfigurationError).mistakes).toEqual([
      `http.hosts[1]: no such host (${file}:2)`,
    ]);
  });

  it('make one error that says how many there are', async () => {
    const schema = z.object({ a: z.number(), b: z.number() });
    await expect(load({ schema, env: { APP_A: 'x' } })).rejects.toThrow(
      /^hostx: configuration: 2 mistakes:\n {2}a: .* \(APP_A\)\n {2}b: .* or as APP_B\)$/,
    );
  });

  it.each<[string, Given, readonly (string | RegExp)[]]>([
    [
      'files that are not what they should be',
      {
        files: {
          'config.yaml': 'a: 1\na: 2\nb: !secret s3cret\n',
          'config.production.json': '[1]',
        },
      },
      [
        'config.yaml:2: Map keys must be unique',
        'config.yaml:3: tags such as !secret are not supported; put a value that begins with "!" in quotes',
        'config.production.json: must be an object at its top level',
      ],
    ],
    [
      'a file of two documents, and one with an alias of nothing',
      { files: { 'config.yaml': 'a: 1\n---\nb: 2\n', 'config.production.yaml': 'a: *s3cret\n' } },
      [
        'config.yaml:2: a second document begins here, and only one is read; remove the line "---", or move the rest to another file',
        'config.production.yaml: a value that begins with "*" is an alias, and there is no such anchor; put other values in quotes',
      ],
    ],
    [
      'files that are JSON only by name',
      {
        files: {
          'config.json': '{\n"a": 1,\n"a": "s3cret"}',
          'config.production.json': '{"a": 1} # why',
        },
      },
      [
        'config.json:3: "a" is already set in line 2',
        'config.production.json:1: a comment in JSON begins with // or is between /* and */',
      ],
    ],
    [
      'a file of JSON without a value',
      { files: { 'config.json': '' } },
      [/^config\.json:1: has no/],
    ],
    [
      'two files for one layer',
      { files: { 'config.yaml': 'a: 1', 'config.json': '{}' } },
      [/: config\.json and config\.yaml are the same layer; keep one of them$/],
    ],
    ['a file that was named and is missing', { files: {} }, ['config: this file does not exist']],
    [
      'a way to prototypes',
      { files: { 'config.yaml': 'a: {__proto__: {b: 1}}' } },
      ['config.yaml: a.__proto__ is not allowed as the name of a setting'],
    ],
    [
      'an alias that unfolds without end',
      {
        files: {
          'config.yaml':
            'a: &a [x, x]\n' +
            'bcdefgh'
              .split('')
              .map((k, i) => `${k}: &${k} [${`*${'abcdefgh'[i]}, `.repeat(9)}]`)
              .join('\n'),
        },
      },
      [/^config\.yaml: Excessive alias count/],
    ],
    ['an empty prefix', { files: base, prefix: '' }, [/^prefix: must not be empty/]],
  ])('%s', async (_, given, expected) => {
    const mistakes = await mistakesOf(given);
    expect(mistakes).toEqual(
      expected.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one))),
    );
  });

  it('never show a value', async () => {
    const files = { 'config.yaml': 'password: s3cret\n  bad indentation: s3cret\n' };
    expect((await mistakesOf({ files })).join()).not.toContain('s3cret');
  });

  it('cannot be led to another folder by the name of the environment', async () => {
    await writeFile(join(folder, 'other.yaml'), 'a: 2');
    expect(await load({ files: { 'config.yaml': 'a: 1' }, environment: '/../other' })).toEqual({
      a: 1,
    });
  });
});
