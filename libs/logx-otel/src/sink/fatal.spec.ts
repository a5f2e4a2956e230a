import { createLogger, deadlineAfter, Level } from '@apix/logx/core';
import {
  BatchLogRecordProcessor,
  InMemoryLogRecordExporter,
  LoggerProvider,
} from '@opentelemetry/sdk-logs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Program, program } from '../../../../tools/testing/program.js';
import {
  type Answer,
  GrpcCollector,
  HttpCollector,
  type StubCollector,
} from '../stub-collector.fixture.js';
import { otelSink } from './otel-sink.js';

/** Logs more than there is room for, and ends by a fatal event. */
const CODE = `
  import { createLogger } from '@apix/logx/core';
  import { otelSink } from '../index.js';
  const [endpoint, protocol] = process.argv.slice(2);
  const config = { endpoint, protocol, insecure: true, queueSize: 4, batchSize: 4 };
  const sink = otelSink({ ...config, onError: () => {} });
  const log = createLogger({ sinks: [sink] });
  for (let n = 0; n < 50; n++) log.information('{N}', n);
  const begun = performance.now();
  process.on('exit', () => {
    const { dropReasons, queued } = sink.stats();
    const waitedMs = performance.now() - begun;
    console.log(JSON.stringify({ full: dropReasons.full, queued, waitedMs }));
  });
  log.fatal(new Error('out of ink'), 'bye');
`;

interface End {
  readonly full: number;
  readonly queued: number;
  readonly waitedMs: number;
}

const bodiesOf = ({ records }: StubCollector): unknown[] =>
  records.map(({ body }) => (body as { stringValue?: string }).stringValue);

describe('a fatal event, when there is no more room', () => {
  let dying: Program;
  let collector: StubCollector;

  beforeAll(async () => {
    dying = await program({ code: CODE, folder: new URL('.', import.meta.url) });
  });
  afterAll(() => dying.remove());
  afterEach(() => collector.stop());

  async function die(protocol: 'grpc' | 'http'): Promise<End> {
    const { code, out, err } = await dying.run(collector.endpoint, protocol).ended;
    expect({ code, err }).toEqual({ code: 1, err: '' });
    return JSON.parse(out) as End;
  }

  describe.each(['grpc', 'http'] as const)('over %s', (protocol) => {
    beforeEach(async () => {
      collector = await (protocol === 'grpc' ? GrpcCollector : HttpCollector).start();
    });

    it.each<[string, (request: number) => Answer]>([
      ['takes its time', () => ({ kind: 'take', afterMs: 100 })],
      [
        'is busy first',
        (request) => (request === 1 ? { kind: 'refuse', http: 429, grpc: 14 } : { kind: 'take' }),
      ],
    ])(
      'is sent last, and waited for, to a collector that %s',
      async (_, answer) => {
        collector.answer = answer;
        const { full, queued } = await die(protocol);
        expect({ full, queued }).toEqual({ full: 46, queued: 0 });
        expect(bodiesOf(collector)).toEqual(['0', '1', '2', '3', 'bye']);
      },
      60_000,
    );

    it('is waited for five seconds at most where the collector hangs', async () => {
      collector.answer = () => ({ kind: 'hang' });
      const { waitedMs, queued } = await die(protocol);
      expect(waitedMs).toBeGreaterThan(4_900);
      expect(queued).toBe(5);
    });
  });
});

describe('a fatal event for a provider of the app', () => {
  it('has the provider send what it holds, which other events do not', async () => {
    const exporter = new InMemoryLogRecordExporter();
    const processor = new BatchLogRecordProcessor({ exporter, scheduledDelayMillis: 600_000 });
    const provider = new LoggerProvider({ processors: [processor] });
    const log = createLogger({ sinks: [otelSink({ provider })] });
    log.information('before');
    await log.flush();
    expect(exporter.getFinishedLogRecords()).toEqual([]);
    log.write({ level: Level.Fatal, text: 'bye' });
    await log.flush();
    expect(exporter.getFinishedLogRecords().map(({ body }) => body)).toEqual(['before', 'bye']);
    await log.close();
    await provider.shutdown();
  });

  it.each<[string, () => Promise<void>]>([
    ['fails', () => Promise.reject(new Error('no ink'))],
    ['hangs', () => new Promise(() => {})],
  ])('does not wait beyond the deadline where the provider %s', async (_, forceFlush) => {
    const provider = { getLogger: () => ({ emit: () => {} }), forceFlush };
    const log = createLogger({ sinks: [otelSink({ provider, onError: () => {} })] });
    log.write({ level: Level.Fatal, text: 'bye' });
    await expect(log.flush(deadlineAfter(50))).resolves.toBeUndefined();
    await log.close();
  });
});
