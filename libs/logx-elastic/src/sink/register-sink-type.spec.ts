import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { HEALTH_SOURCE, METRIC_SOURCE } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { configOf, createLogger, createLoggerFromConfig } from '@apix/logx/core';
import { DocumentSinks } from '@apix/logx/shipping';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CA_CERT } from '../../../grpc-client/src/tls/certificates.fixture.js';
import { ELASTIC_SINK_TYPE, elasticSink } from '../index.js';
import { StubElasticsearch } from '../stub-elasticsearch.fixture.js';

describe('an elastic sink', () => {
  let stub: StubElasticsearch;
  beforeEach(async () => {
    stub = await StubElasticsearch.start();
  });
  afterEach(() => stub.stop());

  const document = (options: Readonly<Record<string, unknown>>, more: object = {}) =>
    configOf({ sinks: [{ type: ELASTIC_SINK_TYPE, options, ...more }] });
  const config = () => ({ addresses: [stub.address], index: 'logs', maxRetries: 0 });

  it('can be asked for in a configuration document', async () => {
    const folder = fs.mkdtempSync(join(os.tmpdir(), 'elastic-document-'));
    const caFile = join(folder, 'ca.pem');
    fs.writeFileSync(caFile, CA_CERT);
    const options = {
      ...config(),
      action: 'create',
      apiKey: 'id:key',
      tls: { caFile },
      batchSize: 2,
      flushInterval: '1s',
      gzip: true,
      spool: { path: join(folder, 'spool'), maxBytes: 2 ** 21 },
    };
    const logger = createLoggerFromConfig(document(options, { level: 'warning' }));
    logger.information('too low');
    logger.warning('stock is low');
    await logger.close();
    expect(stub.taken).toMatchObject([{ message: 'stock is low', 'log.level': 'warn' }]);
    expect(stub.requests[0]).toMatchObject({
      headers: { authorization: 'ApiKey aWQ6a2V5', 'content-encoding': 'gzip' },
      actions: [{ create: {} }],
    });
    fs.rmSync(folder, { recursive: true });
  });

  it.each<readonly [string, Readonly<Record<string, unknown>>, object, string]>([
    ['a wrong option', { indx: 'x' }, {}, 'sinks[0].options.indx: is not known here'],
    [
      'a missing option',
      { addresses: [] },
      {},
      'sinks[0].options.addresses: must have at least one node',
    ],
    [
      'a list of the wrong things',
      { addresses: [7] },
      {},
      'options.addresses: must be an array of strings',
    ],
    ['a file that is not there', { tls: { caFile: '/nowhere' } }, {}, 'options.tls.caFile: ENOENT'],
    [
      'a format with several lines',
      {},
      { format: 'console' },
      'must be one of "ecs", "json", not "console"',
    ],
  ])('says where in the document there is %s', (_, options, more, message) => {
    const act = () => createLoggerFromConfig(document({ ...config(), ...options }, more));
    expect(act).toThrow(message);
  });

  it('gives its account as metrics', async () => {
    stub.behave = () => ({
      kind: 'take',
      statusOf: ({ message }) => (message === 'bad' ? 400 : 201),
    });
    const logger = createLoggerFromConfig(document(config()));
    const source = new DocumentSinks();
    const figures = () =>
      Object.fromEntries([...source.metrics()].map(({ name, value }) => [name.slice(18), value]));
    logger.information('good');
    logger.information('bad');
    expect(figures()).toMatchObject({ logged: 2, sent: 0, queued: 2 });
    const sinks = source.sinks;
    await logger.close();
    expect(source.sinks).toEqual([]);
    expect(figures()).toEqual({});
    expect([...sinks[0]!.metrics()]).toContainEqual({
      name: 'apix.logx.elastic.failed',
      kind: 'counter',
      value: 1,
      unit: '{event}',
      description: 'Events that the other side did not accept',
      attributes: { index: 'logs' },
    });
    expect([hasMark(source, METRIC_SOURCE), hasMark(source, HEALTH_SOURCE)]).toEqual([true, true]);
  });

  it('fails a health check only if health is set, while the cluster accepts no events', async () => {
    const silent = elasticSink(config());
    const sink = elasticSink({ ...config(), health: 'ready' });
    expect(silent.healthChecks()).toEqual([]);
    const [check] = sink.healthChecks();
    expect(check).toMatchObject({ name: 'elasticsearch logs', affects: 'ready' });
    const ask = async () => check!.check(new AbortController().signal);
    await ask();
    stub.behave = () => ({ kind: 'refuse', status: 401 });
    sink.write('{}\n');
    await sink.flush();
    await expect(ask()).rejects.toThrow(
      'logx-elastic: logs: HTTP 401, security_exception: missing authentication credentials; ' +
        '0 events queued, 0 spooled',
    );
    stub.behave = () => ({ kind: 'take' });
    sink.write('{}\n');
    await sink.flush();
    await ask();
    await Promise.all([sink.close(), silent.close()]);
  });

  it('tells the error handler of the logger what was refused and why', async () => {
    stub.behave = () => ({ kind: 'take', statusOf: () => 400 });
    const errors: string[] = [];
    const logger = createLogger({
      ...document(config()).options(),
      errorHandler: (error) => errors.push(error.message),
    });
    logger.information('one');
    logger.information('two');
    await logger.close();
    expect(errors).toEqual([
      'logx-elastic: logs: 2 of 2 events refused: 2 × HTTP 400, document_parsing_exception: ' +
        '[1:53] failed to parse field [age] of type [long]: For input string: "x"',
    ]);
  });
});
