import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '../logger/create-logger.js';
import { collectingSink } from '../testing/collecting-sink.js';
import { doorsOf } from './logger-source.js';
import type { LogxModuleOptions } from './logx-module-options.js';

const folder = mkdtempSync(join(tmpdir(), 'logx-'));
const configFile = join(folder, 'log.yaml');
writeFileSync(configFile, 'probes: debug\nfields: { service: shop }\n');
afterAll(() => rmSync(folder, { recursive: true }));

describe('what probes leave in the log', () => {
  it.each<[string, LogxModuleOptions, unknown, unknown]>([
    ['a door', { http: { probes: 'off' } }, 'off', undefined],
    ['the module', { probes: 'debug' }, 'debug', 'debug'],
    ['a door before the module', { probes: 'debug', grpc: { probes: 'all' } }, 'debug', 'all'],
    ['a configuration file', { configFile }, 'debug', 'debug'],
    ['the module before its file', { configFile, probes: 'all' }, 'all', 'all'],
    ['nobody', {}, undefined, undefined],
  ])('is said by %s', (_who, options, http, grpc) => {
    const doors = doorsOf(options);
    expect(doors.http).toEqual(http === undefined ? {} : { probes: http });
    expect(doors.grpc).toEqual(grpc === undefined ? {} : { probes: grpc });
  });

  it('is left to the older form where a door has it, and doors that are off stay off', () => {
    const { http, grpc } = doorsOf({ probes: 'debug', http: { skipProbes: true }, grpc: false });
    expect([http, grpc]).toEqual([{ skipProbes: true }, false]);
  });
});

describe('fields', () => {
  it('are in every event, of children too, and give way to fields of the event', () => {
    const logged = collectingSink();
    const log = createLogger({ sinks: [logged], fields: { service: 'shop', version: 1 } });
    log.information('hello');
    log.forContext('Order', 'o-1').information('{version}', 2);
    log.pino.info('from pino');
    expect([...logged].map(({ service, version }) => [service, version])).toEqual([
      ['shop', 1],
      ['shop', 2],
      ['shop', 1],
    ]);
  });

  it('of a service give it its level', () => {
    const logged = collectingSink();
    const log = createLogger({ sinks: [logged], fields: { service: 'shop' } });
    log.levels.set('error', 'shop');
    log.information('hello');
    expect(logged.count).toBe(0);
  });

  it('leave the root logger one that can be closed', async () => {
    const log = createLogger({ sinks: [collectingSink()], fields: { service: 'shop' } });
    await expect(log.close()).resolves.toBeUndefined();
  });
});
