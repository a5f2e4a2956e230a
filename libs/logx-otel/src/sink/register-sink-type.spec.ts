import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigError, createLoggerFromConfig, HEALTH_SOURCE, METRIC_SOURCE } from '@apix/logx/core';
import { logs } from '@opentelemetry/api-logs';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
// As an app does it: the import registers the type.
import { OtelSinks } from '../index.js';
import { HttpCollector } from '../stub-collector.fixture.js';
import { documentSinks } from './otel-sinks.js';

describe('the sink type otlp', () => {
  afterEach(() => {
    logs.disable();
    documentSinks.clear();
  });

  const mistakesOf = (
    options: Readonly<Record<string, unknown>>,
    more: object = {},
  ): readonly string[] => {
    try {
      createLoggerFromConfig({ sinks: [{ type: 'otlp', options, ...more }] });
    } catch (error) {
      if (error instanceof ConfigError) {
        return error.mistakes.map(({ path, message }) => `${path}: ${message}`);
      }
      throw error;
    }
    return [];
  };

  it('without options emits through the global provider', () => {
    const exporter = new InMemoryLogRecordExporter();
    const processors = [new SimpleLogRecordProcessor({ exporter })];
    logs.setGlobalLoggerProvider(new LoggerProvider({ processors }));
    createLoggerFromConfig({ sinks: [{ type: 'OTLP', level: 'warning' }] }).warning('hello');
    expect(exporter.getFinishedLogRecords().map(({ body }) => body)).toEqual(['hello']);
  });

  it('with an endpoint exports there, and Logger.close flushes it', async () => {
    const collector = await HttpCollector.start();
    try {
      const logger = createLoggerFromConfig({
        sinks: [
          {
            type: 'otlp',
            options: {
              endpoint: collector.endpoint,
              protocol: 'http',
              insecure: true,
              headers: { 'x-tenant': 'blue' },
              timeout: '2s',
              scopeName: 'doc',
              attributes: { env: 'test' },
              health: 'ready',
            },
          },
        ],
      });
      const sinks = new OtelSinks();
      logger.information('hello');
      expect(sinks[METRIC_SOURCE] && sinks[HEALTH_SOURCE]).toBe(true);
      const target = collector.endpoint;
      expect([...sinks.metrics()]).toContainEqual(
        expect.objectContaining({
          name: 'apix.logx.otel.queued',
          value: 1,
          attributes: { target },
        }),
      );
      expect(sinks.healthChecks()).toMatchObject([{ name: `otlp ${target}`, affects: 'ready' }]);
      await logger.close();
      expect(sinks.sinks).toEqual([]);
      expect(collector.records).toMatchObject([
        { scope: 'doc', attributes: { env: { stringValue: 'test' } } },
      ]);
      expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'blue', ':path': '/v1/logs' });
    } finally {
      await collector.stop();
    }
  });

  it.each([
    [undefined, '2026-11-21T10:00:00Z'],
    ['TimeUnix', 1_795_255_200],
  ])('inherits the time format of the logger, which its own overrides (%s)', (timeFormat, time) => {
    const exporter = new InMemoryLogRecordExporter();
    const processors = [new SimpleLogRecordProcessor({ exporter })];
    logs.setGlobalLoggerProvider(new LoggerProvider({ processors }));
    for (const document of [
      { timeFormat, sinks: [{ type: 'otlp' }] },
      {
        timeFormat: 'TimeUnixMs',
        sinks: [{ type: 'otlp', options: { timeFormat: timeFormat ?? 'TimeRFC3339' } }],
      },
    ]) {
      documentSinks.clear();
      createLoggerFromConfig(document);
      const [sink] = new OtelSinks().sinks;
      sink!.write(JSON.stringify({ time }));
    }
    const times = exporter.getFinishedLogRecords().map(({ hrTime }) => hrTime);
    expect(times).toEqual([
      [1_795_255_200, 0],
      [1_795_255_200, 0],
    ]);
  });

  it.each<[Readonly<Record<string, unknown>>, object, string]>([
    [{ provider: {} }, {}, 'sinks[0].options.provider: unknown; known here: endpoint, '],
    [{ protocol: 'udp' }, {}, 'sinks[0].options.protocol: must be grpc or http'],
    [{ timeFormat: 'x' }, {}, 'sinks[0].options.timeFormat: unknown time format "x"'],
    [{ headers: { a: 1 } }, {}, 'sinks[0].options.headers: must be an object of texts'],
    [{ timeout: 'soon' }, {}, 'sinks[0].options.timeout: '],
    [
      { endpoint: 'http://a' },
      {},
      'sinks[0]: logx-otel: wrong config: endpoint: "http://a" is no host:port',
    ],
    [{}, { format: 'ecs' }, 'sinks[0]: an otlp sink takes no other format than json, not ecs'],
  ])('%j %j is refused', (options, more, mistake) => {
    expect(mistakesOf(options, more)).toEqual([expect.stringContaining(mistake)]);
  });
});
