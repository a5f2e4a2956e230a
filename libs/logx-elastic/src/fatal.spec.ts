import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { createLogger } from '@apix/logx/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Program, program } from '../../../tools/testing/program.js';
import type { ElasticConfig } from './config/elastic-config.js';
import { elasticSink } from './sink/elastic-sink.js';
import { type Behaviour, StubElasticsearch } from './stub-elasticsearch.fixture.js';

/** Logs more than there is room for, and ends by a fatal event. */
const CODE = `
  import { createLogger } from '@apix/logx/core';
  import { elasticSink } from './index.js';
  import { rmSync } from 'node:fs';
  const [config, size, lost] = process.argv.slice(2).map((text) => JSON.parse(text));
  const sink = elasticSink({ ...config, index: 'logs', onError: () => {} });
  const log = createLogger({ sinks: [sink] });
  for (let n = 0; n < 50; n++) log.information('{N} {Text}', n, 'x'.repeat(size));
  const begun = performance.now();
  process.on('exit', () => {
    const { dropReasons, queued, spooled } = sink.stats();
    const waitedMs = performance.now() - begun;
    console.log(JSON.stringify({ full: dropReasons.full, queued, spooled, waitedMs }));
  });
  if (lost) rmSync(lost, { recursive: true });
  log.forContext('Last', 'x'.repeat(5 * size)).fatal(new Error('out of ink'), 'bye');
`;

interface End {
  readonly full: number;
  readonly queued: number;
  readonly spooled: number;
  readonly waitedMs: number;
}

const REFUSED: Behaviour = { kind: 'refuse', status: 429 };
const messagesOf = (events: StubElasticsearch['taken']) => events.map(({ message }) => message);

describe('a fatal event, when there is no more room', () => {
  let dying: Program;
  let stub: StubElasticsearch;
  let folder: string;

  beforeAll(async () => {
    dying = await program({ code: CODE, folder: new URL('.', import.meta.url) });
  });
  afterAll(() => dying.remove());
  beforeEach(async () => {
    stub = await StubElasticsearch.start();
    folder = fs.mkdtempSync(join(os.tmpdir(), 'logx-elastic-'));
  });
  afterEach(async () => {
    await stub.stop();
    fs.rmSync(folder, { recursive: true });
  });

  async function die(config: Partial<ElasticConfig>, size = 400, lost?: string): Promise<End> {
    const { code, out, err } = await dying.run(
      JSON.stringify({ addresses: [stub.address], queueSize: 4, batchSize: 4, ...config }),
      String(size),
      JSON.stringify(lost ?? null),
    ).ended;
    expect({ code, err }).toEqual({ code: 1, err: '' });
    return JSON.parse(out) as End;
  }

  it.each<[string, StubElasticsearch['behave'], number]>([
    ['that takes its time', () => ({ kind: 'slow', until: pause(200) }), 5],
    ['that refused the others', (_, number) => (number === 0 ? REFUSED : { kind: 'take' }), 1],
  ])(
    'is sent last, and waited for, to a cluster %s',
    async (_, behave, taken) => {
      stub.behave = behave;
      const { full, queued } = await die({ concurrency: 1, retryDelay: 50 });
      expect({ full: full > 0, queued }).toEqual({ full: true, queued: 0 });
      expect(messagesOf(stub.taken).at(-1)).toBe('bye');
      expect(stub.taken).toHaveLength(taken);
    },
    60_000,
  );

  it.each(['queueSize', 'queueBytes'] as const)(
    'passes the bound %s',
    async (bound) => {
      const config =
        bound === 'queueSize' ? { queueSize: 4 } : { queueSize: 99, queueBytes: 4_000 };
      const { full } = await die(config);
      expect(full).toBeGreaterThan(0);
      expect(messagesOf(stub.taken)).toContain('bye');
    },
    60_000,
  );

  it('is waited for five seconds at most where the cluster hangs', async () => {
    stub.behave = () => ({ kind: 'black hole' });
    const { waitedMs, queued } = await die({});
    expect(waitedMs).toBeGreaterThan(4_900);
    expect(queued).toBe(5);
  });

  const recovered = async (): Promise<unknown[]> => {
    stub.behave = () => ({ kind: 'take' });
    const config = { addresses: [stub.address], index: 'logs', spool: { path: folder } };
    await createLogger({ sinks: [elasticSink(config)] }).close();
    return messagesOf(stub.taken);
  };

  it.each<[string, Behaviour | 'nobody']>([
    ['hangs', { kind: 'black hole' }],
    ['answers 429', REFUSED],
    ['is not there', 'nobody'],
  ])(
    'enters a full spool while the cluster %s',
    async (_, behaviour) => {
      const spool = { path: folder, maxBytes: 2 ** 20 };
      const fill = { spool, maxRetries: 0, retryDelay: 50 };
      const { address } = stub;
      if (behaviour === 'nobody') await stub.stop();
      else stub.behave = () => behaviour;
      const { full } = await die({ ...fill, addresses: [address] }, 40_000);
      expect(full).toBeGreaterThan(0);
      await stub.stop();
      stub = await StubElasticsearch.start();
      expect(await recovered()).toContain('bye');
    },
    60_000,
  );

  it('is waited for while the cluster is down and the disk does not take it either', async () => {
    const path = join(folder, 'spool');
    stub.behave = (_, number) => (number < 2 ? { kind: 'refuse', status: 503 } : { kind: 'take' });
    const spool = { path, maxBytes: 2 ** 20 };
    // One batch fills a file of the spool, and the next file cannot be made.
    const config = { spool, batchSize: 50, queueSize: 50, maxRetries: 0, retryDelay: 50 };
    await die(config, 2_000, path);
    expect(messagesOf(stub.taken)).toContain('bye');
  });
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
