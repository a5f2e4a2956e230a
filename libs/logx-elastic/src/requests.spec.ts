import { deadlineAfter } from '@apix/contracts';
import { type FakeClock, fakeClock } from '@apix/contracts/testing';
import { createLogger, customSink } from '@apix/logx/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  CA_CERT,
  CLIENT_CERT,
  CLIENT_KEY,
  SERVER_CERT,
  SERVER_KEY,
} from '../../grpc-client/src/tls/certificates.fixture.js';
import type { ElasticConfig } from './config/elastic-config.js';
import { type ElasticSink, elasticSink } from './sink/elastic-sink.js';
import { StubElasticsearch } from './stub-elasticsearch.fixture.js';
import type { HttpReply } from './wire/http-client.js';

describe('a bulk request', () => {
  let stubs: StubElasticsearch[];
  let stub: StubElasticsearch;
  let sinks: ElasticSink[];
  let clock: FakeClock;

  const start = async (options?: Parameters<typeof StubElasticsearch.start>[0]) => {
    const started = await StubElasticsearch.start(options);
    stubs.push(started);
    return started;
  };
  const sinkOf = (config: Partial<ElasticConfig> = {}): ElasticSink => {
    const sink = elasticSink({ addresses: [stub.address], index: 'logs', ...config });
    sinks.push(sink);
    return sink;
  };
  const write = (sink: ElasticSink, from: number, to: number): void => {
    for (let n = from; n < to; n++) sink.write(`{"n":${n}}\n`);
  };
  const sizes = () => stub.requests.map(({ events }) => events.length);

  beforeEach(async () => {
    stubs = [];
    sinks = [];
    clock = fakeClock();
    stub = await start();
  });
  afterEach(async () => {
    const now = deadlineAfter(0);
    await Promise.all(sinks.map((sink) => sink.close(now).catch(() => {})));
    await Promise.all(stubs.map((stub) => stub.stop()));
  });

  it('is a POST to the index, with an action line and the ECS line for each event', async () => {
    const logger = createLogger({ sinks: [sinkOf()], timestamp: false });
    logger.information('{Count} items for {Customer}', 3, 'Ådå 😀');
    logger.warning('late');
    await logger.close();
    expect(stub.requests).toHaveLength(1);
    expect(stub.requests[0]).toMatchObject({
      method: 'POST',
      path: '/logs/_bulk',
      headers: { 'content-type': 'application/x-ndjson' },
      actions: [{ index: {} }, { index: {} }],
      events: [
        {
          'log.level': 'info',
          'ecs.version': '8.11.0',
          message: '3 items for Ådå 😀',
          'message_template.text': '{Count} items for {Customer}',
          Count: 3,
          Customer: 'Ådå 😀',
        },
        { 'log.level': 'warn', message: 'late' },
      ],
    });
  });

  it.each<readonly [string, Partial<ElasticConfig>, string | undefined]>([
    ['no credentials', {}, undefined],
    [
      'basic credentials',
      { username: 'Aladdin', password: 'open sesame' },
      'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==',
    ],
    ['an encoded API key', { apiKey: 'dGhlLWlkOnRoZS1rZXk=' }, 'ApiKey dGhlLWlkOnRoZS1rZXk='],
    ['an API key with its id', { apiKey: 'the-id:the-key' }, 'ApiKey dGhlLWlkOnRoZS1rZXk='],
    [
      'an API key over basic credentials',
      { username: 'ada', password: 'x', apiKey: 'a2V5' },
      'ApiKey a2V5',
    ],
  ])('carries %s', async (_, config, authorization) => {
    const sink = sinkOf(config);
    write(sink, 0, 1);
    await sink.close();
    expect(stub.requests[0]!.headers.authorization).toBe(authorization);
  });

  it.each<readonly [string, Partial<ElasticConfig>, string]>([
    ['a path of the address', { addresses: [] }, '/es/logs/_bulk'],
    [
      'a date in the name of the index',
      { index: '<logs-{now/d}>' },
      '/%3Clogs-%7Bnow%2Fd%7D%3E/_bulk',
    ],
  ])('keeps %s', async (_, config, path) => {
    const addresses = [config.addresses ? `${stub.address}/es/` : stub.address];
    const sink = sinkOf({ ...config, addresses });
    write(sink, 0, 1);
    await sink.close();
    expect(stub.requests[0]!.path).toBe(path);
  });

  it('creates, where a data stream wants that', async () => {
    const sink = sinkOf({ action: 'create' });
    write(sink, 0, 2);
    await sink.close();
    expect(stub.requests[0]!.actions).toEqual([{ create: {} }, { create: {} }]);
    expect(sink.sent).toBe(2);
  });

  it('is compressed when it should be', async () => {
    const plain = sinkOf();
    const small = sinkOf({ gzip: true });
    for (const sink of [plain, small]) {
      write(sink, 0, 100);
      await sink.close();
    }
    const [first, second] = stub.requests;
    expect(second!.headers['content-encoding']).toBe('gzip');
    expect(second!.events).toEqual(first!.events);
    expect(second!.bytes).toBeLessThan(first!.bytes / 4);
  });

  it('has as many events as a batch', async () => {
    const sink = sinkOf({ batchSize: 3 });
    write(sink, 0, 7);
    await stub.gotRequests(2);
    expect(sizes()).toEqual([3, 3]);
    await sink.close();
    expect(sizes()).toEqual([3, 3, 1]);
  });

  it('has as many bytes as a request may, or one event that is larger', async () => {
    const sink = sinkOf({ batchBytes: 60, concurrency: 1 });
    write(sink, 0, 5);
    sink.write(`{"text":"${'x'.repeat(100)}"}\n`);
    write(sink, 5, 6);
    await sink.close();
    expect(sizes()).toEqual([2, 2, 1, 1, 1]);
    expect(stub.requests.map(({ bytes }) => bytes)).toEqual([42, 42, 21, 125, 21]);
  });

  it('does not wait longer than the flush interval', async () => {
    const sink = sinkOf({ clock });
    write(sink, 0, 2);
    await clock.advance(4_999);
    expect(sink.stats()).toMatchObject({ queued: 2, oldestAgeMs: 4_999 });
    expect(stub.requests).toHaveLength(0);
    await clock.advance(1);
    await stub.gotRequests(1);
    expect(sizes()).toEqual([2]);
  });

  it('goes over connections that are kept', async () => {
    const sink = sinkOf({ batchSize: 1, concurrency: 1 });
    write(sink, 0, 20);
    await sink.close();
    expect({ requests: stub.requests.length, connections: stub.connections }).toEqual({
      requests: 20,
      connections: 1,
    });
  });

  it('is sent again on a new connection when the kept one was closed while idle', async () => {
    const sink = sinkOf({ batchSize: 1, maxRetries: 0 });
    write(sink, 0, 1);
    await sink.flush();
    await stub.stop();
    await stub.listen(stub.lastPort);
    write(sink, 1, 2);
    await sink.close();
    expect(sink.stats()).toMatchObject({ sent: 2, failed: 0 });
  });

  it('goes to the nodes in turn', async () => {
    const others = [await start(), await start()];
    const nodes = [stub, ...others];
    const sink = sinkOf({
      addresses: nodes.map(({ address }) => address),
      batchSize: 1,
      concurrency: 1,
    });
    write(sink, 0, 6);
    await sink.close();
    expect(nodes.map(({ taken }) => taken.map(({ n }) => n))).toEqual([
      [0, 3],
      [1, 4],
      [2, 5],
    ]);
  });

  it('goes on to another node, at no cost of retries, and lets the dead one rest', async () => {
    const other = await start();
    const dead = await start();
    await dead.stop();
    stub.behave = () => ({ kind: 'refuse', status: 503 });
    const sink = sinkOf({
      addresses: [stub.address, dead.address, other.address],
      batchSize: 1,
      concurrency: 1,
      maxRetries: 0,
      clock,
    });
    write(sink, 0, 4);
    await sink.flush();
    expect(sink.stats()).toMatchObject({ sent: 4, failed: 0 });
    expect(stub.requests).toHaveLength(1);
    stub.behave = () => ({ kind: 'take' });
    await clock.advance(1_000);
    write(sink, 4, 7);
    await sink.flush();
    expect(stub.requests.length).toBeGreaterThan(1);
    expect(sink.stats()).toMatchObject({ sent: 7, failed: 0 });
  });

  /** A client that notes when it is asked, and answers so. */
  const noting = (replyOf: (number: number) => Pick<HttpReply, 'status' | 'headers'>) => {
    const times: number[] = [];
    const post = async (): Promise<HttpReply> => {
      const body = Buffer.from('{"took":1,"errors":false,"items":[]}');
      return { ...replyOf(times.push(clock.now()) - 1), body };
    };
    return { times, client: { post } };
  };

  it('is repeated after pauses that double, up to 10 s', async () => {
    const { times, client } = noting(() => ({ status: 503, headers: {} }));
    const sink = sinkOf({ batchSize: 1, clock, client, retryDelay: '3s' });
    write(sink, 0, 1);
    await clock.advance(60_000);
    const pauses = times.slice(1).map((time, i) => time - times[i]!);
    const full = [3_000, 6_000, 10_000];
    expect(pauses).toHaveLength(full.length);
    expect(pauses.filter((ms, i) => ms < full[i]! / 2 || ms > full[i]!)).toEqual([]);
    expect(sink.failed).toBe(1);
  });

  it('waits as long as Retry-After says, with all requests', async () => {
    const { times, client } = noting((number) =>
      number === 0
        ? { status: 503, headers: { 'retry-after': '20' } }
        : { status: 200, headers: {} },
    );
    const sink = sinkOf({ batchSize: 1, clock, client, retryDelay: 10 });
    write(sink, 0, 1);
    await clock.advance(1);
    write(sink, 1, 3);
    await clock.advance(60_000);
    expect(times).toEqual([0, 20_000, 20_000, 20_000]);
    expect(sink.stats()).toMatchObject({ sent: 3, failed: 0 });
  });

  it('goes to nodes whose certificate an own authority has signed, with a certificate', async () => {
    const tls = { cert: SERVER_CERT, key: SERVER_KEY, ca: CA_CERT, requestCert: true };
    stub = await start({ tls: { ...tls, rejectUnauthorized: true } });
    const trusting = sinkOf({ tls: { ca: CA_CERT, cert: CLIENT_CERT, key: CLIENT_KEY } });
    const wary = sinkOf({ maxRetries: 0 });
    for (const sink of [trusting, wary]) {
      write(sink, 0, 1);
      await sink.close();
    }
    expect([trusting.sent, wary.failed]).toEqual([1, 1]);
    expect(() => wary.check()).toThrow(/certificate/);
  });

  it('goes through another client where there is one', async () => {
    const urls: string[] = [];
    let closed = 0;
    const sink = sinkOf({
      client: {
        post: async ({ url }) => {
          urls.push(url.href);
          const body = Buffer.from('{"took":1,"errors":false,"items":[]}');
          return { status: 200, headers: {}, body };
        },
        close: () => closed++,
      },
    });
    write(sink, 0, 1);
    await sink.close();
    expect({ urls, closed, sent: sink.sent }).toEqual({
      urls: [`${stub.address}/logs/_bulk`],
      closed: 1,
      sent: 1,
    });
  });

  it('is given up after its timeout by a client that does not look at the signal, too', async () => {
    const client = { post: async () => new Promise<never>(() => {}) };
    const sink = sinkOf({ client, clock, timeout: '3s', maxRetries: 0, batchSize: 1 });
    write(sink, 0, 1);
    await clock.advance(2_999);
    expect(sink.failed).toBe(0);
    await clock.advance(1);
    expect(sink.failed).toBe(1);
    expect(() => sink.check()).toThrow('no reply within 3000 ms');
  });

  it('is made of what any logger writes to the sink, which is closed with the last', async () => {
    const sink = sinkOf();
    const one = createLogger({ sinks: [sink] });
    const two = createLogger({ sinks: [sink] });
    const three = createLogger({ sinks: [customSink(sink, { format: 'ecs' })] });
    one.information('one');
    await one.close();
    two.information('two');
    three.information('three');
    await two.close();
    expect(stub.taken.map(({ message }) => message)).toEqual(['one', 'two', 'three']);
    expect(() => createLogger({ sinks: [sink] })).toThrow(/the sink is closed/);
  });
});
