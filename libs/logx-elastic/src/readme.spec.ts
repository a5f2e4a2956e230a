import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { configOf, createLogger } from '@apix/logx/core';
import { LogxModule } from '@apix/logx';
import { HEALTH_SOURCE, METRIC_SOURCE } from '@apix/contracts';
import { discoverMarked } from '@apix/contracts/nest';
import { fakeClock } from '@apix/contracts/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { parse } from 'yaml';
import { program } from '../../../tools/testing/program.js';
import { resolveConfig } from './config/resolve-config.js';
import { elasticSink } from './index.js';
import { StubElasticsearch } from './stub-elasticsearch.fixture.js';

const readme = fs.readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...readme.matchAll(/```(\w*)\n(.*?)```/gs)].map(([, , text]) => text!);
const [, example, printed, body, document] = blocks;

describe('the README', () => {
  let stub: StubElasticsearch;
  let folder: string;
  beforeEach(async () => {
    stub = await StubElasticsearch.start();
    folder = fs.mkdtempSync(join(os.tmpdir(), 'elastic-readme-'));
  });
  afterEach(async () => {
    await stub.stop();
    fs.rmSync(folder, { recursive: true });
  });

  it('shows a program that prints what it says', async () => {
    const code = example!
      .replace(/addresses: .*,/, `addresses: ['${stub.address}'],`)
      .replace('/var/lib/shop/spool', folder);
    const app = await program({ code, folder: new URL('.', import.meta.url) });
    try {
      expect(await app.run().ended).toMatchObject({ out: printed, err: '', code: 0 });
    } finally {
      await app.remove();
    }
    expect(stub.requests[0]!.path).toBe('/logs-shop/_bulk');
  });

  it('shows the body of its request', async () => {
    let got = '';
    const clock = fakeClock(Date.UTC(2026, 10, 21, 3, 4, 5));
    const post = async (request: { readonly body: Uint8Array }) => {
      got = Buffer.from(request.body).toString();
      return { status: 200, headers: {}, body: Buffer.from('{"errors":false}') };
    };
    const sink = elasticSink({ addresses: ['http://es'], index: 'logs-shop', client: { post } });
    const log = createLogger({ sinks: [sink], clock });
    log.information('{Count} items for {Customer}', 3, 'Ada');
    await log.close();
    expect(got).toBe(body);
  });

  it('shows a document that can be read', () => {
    const { sinks } = parse(document!) as {
      sinks: { type: string; options: Record<string, unknown> }[];
    };
    const [sink] = sinks;
    sink!.options['tls'] = {};
    expect(configOf({ sinks }).options().sinks).toMatchObject([
      { kind: 'elasticsearch', format: 'ecs' },
    ]);
    const { spool } = sink!.options as { spool: { path: string; maxBytes: number } };
    expect(resolveConfig({ addresses: ['http://es'], index: 'x', spool }).spool).toEqual(spool);
  });

  it('shows how an app offers its metrics and its health', async () => {
    const elastic = elasticSink({ addresses: [stub.address], index: 'logs' });
    @Module({
      imports: [LogxModule.forRoot({ sinks: [elastic] }), DiscoveryModule],
      providers: [{ provide: 'elastic', useValue: elastic }],
    })
    class ShopModule {}
    const app = await Test.createTestingModule({ imports: [ShopModule] }).compile();
    await app.init();
    const discovery = app.get(DiscoveryService, { strict: false });
    expect(discoverMarked(discovery, METRIC_SOURCE)).toContain(elastic);
    expect(discoverMarked(discovery, HEALTH_SOURCE)).toContain(elastic);
    await app.close();
    await elastic.close();
  });

  it('names the figures that stats has', () => {
    const stats = elasticSink({ addresses: ['http://es'], index: 'x' }).stats();
    expect(printed).toBe(`${inspect({ ...stats, logged: 1, sent: 1 })}\n`);
  });
});
