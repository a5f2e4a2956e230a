import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { configOf } from '@apix/logx/core';
import { parse } from 'yaml';
import { program } from '../../../tools/testing/program.js';
import './index.js';
import { GrpcCollector } from './stub-collector.fixture.js';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w+)\n(.*?)```/gs)];
const of = (wanted: string): string =>
  blocks.filter(([, language]) => language === wanted).map(([, , code]) => code!)[0]!;

describe('the README', () => {
  let collector: GrpcCollector;
  beforeAll(async () => {
    collector = await GrpcCollector.start();
  });
  afterAll(() => collector.stop());

  it('shows a program that sends a record and prints what the README says', async () => {
    const main = await program({
      code: of('ts').replace('localhost:4317', collector.endpoint),
      folder: new URL('.', import.meta.url),
    });
    try {
      expect(await main.run().ended).toMatchObject({ code: 0, out: of('text') });
      expect(collector.records).toMatchObject([
        {
          body: { stringValue: 'Order o-7 took 12.3 ms' },
          attributes: { env: { stringValue: 'test' }, OrderId: { stringValue: 'o-7' } },
        },
      ]);
    } finally {
      await main.remove();
    }
  });

  it('is right that a program that just ends loses nothing', async () => {
    const before = collector.records.length;
    const code = of('ts').replace('localhost:4317', collector.endpoint);
    const main = await program({
      code: code.slice(0, code.indexOf('await log.close()')),
      folder: new URL('.', import.meta.url),
    });
    try {
      expect(await main.run().ended).toMatchObject({ code: 0, out: '' });
      expect(collector.records).toHaveLength(before + 1);
    } finally {
      await main.remove();
    }
  });

  it('shows a configuration document that is right', () => {
    expect(configOf(parse(of('yaml'))).options().sinks).toMatchObject([
      { kind: 'otlp', format: 'json', minLevel: 30 },
    ]);
  });
});
