import { HEALTH_SOURCE, METRIC_SOURCE } from '@apix/contracts';
import { hasMark } from '@apix/contracts/internal';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ConfigError, configOf, createLoggerFromConfig, type Logger } from '@apix/logx/core';
import { DocumentSinks } from '@apix/logx/shipping';
import { logs } from '@opentelemetry/api-logs';
import {
  InMemoryLogRecordExporter,
  LoggerProvider,
  SimpleLogRecordProcessor,
} from '@opentelemetry/sdk-logs';
// As an app does it: the import registers the type.
import '../index.js';
import { HttpCollector } from '../stub-collector.fixture.js';

describe('the sink type otlp', () => {
  const loggers: Logger[] = [];
  afterEach(async () => {
    logs.disable();
    await Promise.all(loggers.splice(0).map((logger) => logger.close()));
  });

  const mistakesOf = (
    options: Readonly<Record<string, unknown>>,
    more: object = {},
  ): readonly string[] => {
    try {
      createLoggerFromConfig({ sinks: [{ type: 'otlp', options, ...more }] });
    } catch (error) {
      if (error instanceof ConfigError) {
        return error.mistakes;
      }
      throw error;
    }
    return [];
  };

  it('without options emits through the global provider', () => {
    const exporter = new InMemoryLogRecordExporter();
    const processors = [new SimpleLogRecordProcessor({ exporter })];
    logs.setGlobalLoggerProvider(new LoggerProvider({ processors }));
    const logger = createLoggerFromConfig({ sinks: [{ type: 'OTLP', level: 'warning' }] });
    loggers.push(logger);
    logger.warning('hello');
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
      const sinks = new DocumentSinks();
      logger.information('hello');
      expect(hasMark(sinks, METRIC_SOURCE) && hasMark(sinks, HEALTH_SOURCE)).toBe(true);
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
      loggers.push(configOf(document).build());
      new DocumentSinks().sinks.at(-1)!.write(JSON.stringify({ time }));
    }
    const times = exporter.getFinishedLogRecords().map(({ hrTime }) => hrTime);
    expect(times).toEqual([
      [1_795_255_200, 0],
      [1_795_255_200, 0],
    ]);
  });

  it.each<[Readonly<Record<string, unknown>>, object, string]>([
    [{ provider: {} }, {}, 'sinks[0].options.provider: is not known here; use one of endpoint, '],
    [{ protocol: 'udp' }, {}, 'sinks[0].options.protocol: must be one of "grpc", "http"'],
    [{ timeFormat: 'x' }, {}, 'sinks[0].options.timeFormat: must be one of "TimeRFC3339"'],
    [{ headers: { a: 1 } }, {}, 'sinks[0].options.headers: must be an object of strings'],
    [{ timeout: 'soon' }, {}, 'sinks[0].options.timeout: '],
    [
      { endpoint: 'http://a' },
      {},
      'sinks[0].options.endpoint: must be host:port without a scheme or a path, not "http://a"',
    ],
    [{}, { format: 'ecs' }, 'sinks[0].options.format: must be one of "json", not "ecs"'],
  ])('%j %j is refused', (options, more, mistake) => {
    expect(mistakesOf(options, more)).toEqual([expect.stringContaining(mistake)]);
  });
});
