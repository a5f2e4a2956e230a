import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { fakeClock } from '@apix/contracts/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import type { Logger } from '../logger/logger.js';
import { customSink } from '../sinks/custom-sink.js';
import { collectingSink, type CollectingSink } from '../testing/collecting-sink.js';
import { ConfigError } from './config-error.js';
import { loadConfig } from './load-config.js';
import { registerSinkType } from './sink-types.js';

/** A logger of a document, with its own sinks replaced by one that collects. */
function collected(
  document: string,
  options: object = {},
): { log: Logger; logged: CollectingSink } {
  const logged = collectingSink();
  const read = loadConfig(document).options();
  return { log: createLogger({ ...read, ...options, sinks: [logged] }), logged };
}

function mistakesOf(document: string): readonly string[] {
  try {
    loadConfig(document).options();
    return [];
  } catch (error) {
    return (error as ConfigError).mistakes;
  }
}

describe('the maximum level of a sink', () => {
  const lines = new Map<unknown, string[]>();
  registerSinkType('shelf', (_settings, entry) => {
    const shelf: string[] = [];
    lines.set(entry.options['name'], shelf);
    return customSink({ emit: ({ message }) => void shelf.push(message) });
  });

  it('leaves the events above it to other sinks, in documents and in code', () => {
    const log = loadConfig(`
level: debug
sinks:
  - { type: shelf, maxLevel: Information, options: { name: out } }
  - { type: shelf, minLevel: warning, options: { name: err } }
  - { type: shelf, level: error, maxLevel: error, options: { name: errors } }`).build();
    const logged = collectingSink({ maxLevel: 'debug' });
    const inCode = createLogger({ level: 'debug', sinks: [logged] });
    for (const each of [log, inCode]) {
      each.debug('d');
      each.information('i');
      each.warning('w');
      each.error('e');
    }
    expect(lines.get('out')).toEqual(['d', 'i']);
    expect(lines.get('err')).toEqual(['w', 'e']);
    expect(lines.get('errors')).toEqual(['e']);
    expect(logged.messages).toEqual(['d']);
  });

  it('is refused below the minimum level', () => {
    const mistake = 'sinks[0]: maxLevel must not be below the minimum level of the sink';
    expect(mistakesOf('sinks: [{ type: console, level: error, maxLevel: info }]')).toEqual([
      mistake,
    ]);
    expect(mistakesOf('sinks: [{ type: console, level: error, minLevel: info }]')).toEqual([
      'sinks[0].minLevel: cannot be given together with level, which is the same',
    ]);
    const sinks = [collectingSink({ minLevel: 'error', maxLevel: 'information' })];
    expect(() => createLogger({ sinks })).toThrow(`logx: ${mistake}`);
  });
});

describe('enrichers', () => {
  const saved = { ...process.env };
  const main = process.argv[1];
  let folder: string;

  beforeEach(() => {
    folder = fs.mkdtempSync(join(os.tmpdir(), 'logx-enrich-'));
    for (const name of ['OTEL_RESOURCE_ATTRIBUTES', 'APP_ENVIRONMENT', 'NODE_ENV']) {
      delete process.env[name];
    }
  });
  afterEach(() => {
    process.env = { ...saved };
    process.argv[1] = main!;
    fs.rmSync(folder, { recursive: true });
  });

  const fieldsOf = (document: string): Record<string, unknown> => {
    const { log, logged } = collected(document);
    log.named('shop').information('x');
    const { level: _, time: __, '@mt': ___, message: ____, ...fields } = logged.only();
    return fields;
  };

  it('write the host, the process, the version and the environment, if they are known', () => {
    fs.mkdirSync(join(folder, 'dist/cli'), { recursive: true });
    fs.writeFileSync(join(folder, 'package.json'), '{ "version": "1.4.2" }');
    fs.writeFileSync(join(folder, 'dist/package.json'), '{ "type": "module" }');
    fs.writeFileSync(join(folder, 'dist/cli/main.js'), '');
    process.argv[1] = join(folder, 'dist/cli/main.js');
    const enrich = 'enrich: [environment, version, pid, host]';
    expect(fieldsOf(enrich)).toEqual({
      'host.name': os.hostname(),
      'process.pid': process.pid,
      'service.version': '1.4.2',
      service: 'shop',
    });
    process.env['NODE_ENV'] = 'test';
    expect(fieldsOf(enrich)).toMatchObject({ 'deployment.environment.name': 'Test' });
    process.env['APP_ENVIRONMENT'] = 'Staging';
    expect(fieldsOf(enrich)).toMatchObject({ 'deployment.environment.name': 'Staging' });
    process.env['OTEL_RESOURCE_ATTRIBUTES'] =
      'service.version=2%2B7, deployment.environment.name = blue,host.name=web-1,empty';
    expect(fieldsOf(enrich)).toMatchObject({
      'host.name': 'web-1',
      'service.version': '2+7',
      'deployment.environment.name': 'blue',
    });
  });

  it('are replaced by fields of the same name', () => {
    const document = 'enrich: [pid]\nfields: { process.pid: main, app: shop }';
    expect(fieldsOf(document)).toEqual({ 'process.pid': 'main', app: 'shop', service: 'shop' });
  });

  it('leave out what cannot be found', () => {
    process.argv[1] = join(folder, 'gone.js');
    expect(fieldsOf('enrich: [version, environment]')).toEqual({ service: 'shop' });
  });

  it('have the names of ECS in its format', () => {
    process.env['NODE_ENV'] = 'test';
    const logged = Object.assign(collectingSink(), { format: 'ecs' as const });
    createLogger({ enrich: ['environment', 'pid'], sinks: [logged] }).information('x');
    expect(JSON.parse(logged.lines[0]!)).toMatchObject({
      'service.environment': 'Test',
      'process.pid': process.pid,
    });
  });

  it.each([
    [
      'enrich: [hots]',
      'enrich[0]: must be one of "host", "pid", "version", "environment", not "hots"',
    ],
    ['enrich: pid', 'enrich: must be a list of fields, not "pid"'],
  ])('are refused in %s', (document, mistake) => {
    expect(mistakesOf(document)).toEqual([mistake]);
  });
});

describe('redaction in a document', () => {
  it.each([
    [
      'redact: [password, "*.token"]',
      { password: '[Redacted]', user: { token: '[Redacted]', pin: 1 } },
    ],
    [
      'redact: { names: [TOKEN], censor: "***" }',
      { password: 'x', user: { token: '***', pin: 1 } },
    ],
    ['redact: { safe: true, paths: [user.pin], remove: true }', { user: {} }],
    [
      'redact: { safe: true }',
      { password: '[Redacted]', user: { token: '[Redacted]', pin: '[Redacted]' } },
    ],
  ])('hides with %s', (document, expected) => {
    const { log, logged } = collected(document);
    log.information({ password: 'x', user: { token: 'y', pin: 1 } }, 'in');
    expect(logged.only()).toEqual({
      ...expected,
      level: 'info',
      time: expect.anything(),
      '@mt': 'in',
      message: 'in',
    });
  });

  it('hides connection strings with what is safe, unless it is told not to', () => {
    const url = 'postgres://shop:hunter2@db/shop';
    const safe = collected('redact: { safe: true }');
    safe.log.information(url);
    expect(safe.logged.only().message).not.toContain('hunter2');
    const open = collected('redact: { safe: true, connectionStrings: false }');
    open.log.information(url);
    expect(open.logged.only().message).toContain('hunter2');
  });

  it.each([
    ['redact: { remove: true }', 'redact: must have safe, paths, names or connectionStrings'],
    ['redact: { path: [a] }', 'redact.path: is not known here; did you mean paths?'],
    ['redact: ["a["]', 'redact[0]: the redact path "a[" is not valid at position 1'],
    ['redact: password', 'redact: must be an array of paths, not "password"'],
  ])('is refused in %s', (document, mistake) => {
    expect(mistakesOf(document)).toContainEqual(expect.stringContaining(mistake));
  });
});

describe('sampling in a document', () => {
  it.each([
    ['sampling: { every: 3 }', [0, 3, 6, 9]],
    ['sampling: { burst: 2, period: 1s }', [0, 1]],
    ['sampling: { burst: 2, period: 1s, next: { every: 4 } }', [0, 1, 2, 6]],
    ['sampling: { burst: 1, period: 1s, next: { burst: 1, period: 1m } }', [0, 1]],
    ['sampling: { every: 0 }', []],
  ])('%s', (document, expected) => {
    const clock = fakeClock();
    const { log, logged } = collected(document, { clock });
    for (let i = 0; i < 10; i++) log.information('{I}', i);
    expect([...logged].map(({ I }) => I)).toEqual(expected);
    log.write({ level: 60, text: 'fatal' });
    expect(logged.at('fatal').count).toBe(1);
  });

  it('follows the clock of the logger', async () => {
    const clock = fakeClock();
    const { log, logged } = collected('sampling: { burst: 1, period: 1s }', { clock });
    log.information('a');
    log.information('b');
    await clock.advance(1_000);
    log.information('c');
    expect(logged.messages).toEqual(['a', 'c']);
  });

  it.each([
    ['sampling: { every: -1 }', 'sampling.every: must be an integer of at least 0, not -1'],
    ['sampling: { burst: 2 }', 'sampling: must have either every, or burst and period'],
    [
      'sampling: { every: 2, next: { every: 3 } }',
      'sampling: must have either every, or burst and period',
    ],
    ['sampling: {}', 'sampling: must have either every, or burst and period'],
    ['sampling: { evry: 2 }', 'sampling.evry: is not known here; did you mean every?'],
    [
      'sampling: { burst: 1, period: 1s, next: { every: x } }',
      'sampling.next.every: must be an integer',
    ],
    ['sampling: 10', 'sampling: must be a sampler, such as { every: 10 }, not 10'],
    [
      'sampling: &again { burst: 1, period: 1s, next: *again }',
      'sampling.next.next.next.next.next.next.next.next.next: must not be nested more than 8 times',
    ],
  ])('is refused in %s', (document, mistake) => {
    expect(mistakesOf(document)).toContainEqual(expect.stringContaining(mistake));
  });
});

describe('limits in a document', () => {
  it('cut values', () => {
    const { log, logged } = collected('limits: { items: 2, text: 4 }');
    log.information('{Values} {Text}', [1, 2, 3], 'abcdefgh');
    expect(JSON.stringify(logged.only()['Values'])).not.toContain('3');
    expect(logged.only()['Text']).not.toBe('abcdefgh');
  });
});
