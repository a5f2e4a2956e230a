import { fakeClock } from '@apix/contracts/testing';
import { configOf, createLogger, customSink, type TimeFormat, TIME_FORMATS } from '@apix/logx/core';
import { describe, expect, it } from '@jest/globals';
import { ELASTIC_SINK_TYPE } from './index.js';
import { recordedSink } from './recorded-sink.fixture.js';
import { StubElasticsearch } from './stub-elasticsearch.fixture.js';

const AT = Date.UTC(2026, 10, 21, 3, 4, 5, 678);
const SECONDS = '2026-11-21T03:04:05Z';
const FRACTIONS = '2026-11-21T03:04:05.678Z';

const timeIn = (body: string): unknown =>
  (JSON.parse(body.split('\n')[1]!) as Record<string, unknown>)['@timestamp'];

describe('times that Elasticsearch gets', () => {
  const wanted = (format: TimeFormat): string =>
    /^TimeRFC3339./.test(format) ? FRACTIONS : SECONDS;

  it.each(TIME_FORMATS)('are RFC 3339 whatever the logger writes elsewhere: %s', async (format) => {
    const { sink, bodies } = recordedSink();
    const lines: string[] = [];
    const file = customSink({ write: (line) => lines.push(line) });
    const options = { sinks: [sink, file], timeFormat: format, clock: fakeClock(AT) };
    const logger = createLogger(options);
    logger.info('x');
    await logger.close();
    expect(timeIn(bodies[0]!)).toBe(wanted(format));
    expect(lines).toHaveLength(1);
  });

  it.each(TIME_FORMATS)('are RFC 3339 with any time format of the sink: %s', async (timeFormat) => {
    const { sink, bodies } = recordedSink({ timeFormat });
    const logger = createLogger({ sinks: [sink], clock: fakeClock(AT) });
    logger.info('x');
    await logger.close();
    expect(timeIn(bodies[0]!)).toBe(wanted(timeFormat));
  });

  it('are RFC 3339 in the long form of the sink', async () => {
    const { sink, bodies } = recordedSink();
    const sinks = [customSink(sink, { format: 'ecs' })];
    const logger = createLogger({ sinks, timeFormat: 'TimeUnix', clock: fakeClock(AT) });
    logger.info('x');
    await logger.close();
    expect(timeIn(bodies[0]!)).toBe(SECONDS);
  });

  it('are RFC 3339 where the sink is in a configuration document', async () => {
    const stub = await StubElasticsearch.start();
    const options = { addresses: [stub.address], index: 'logs' };
    const sinks = [{ type: ELASTIC_SINK_TYPE, options }];
    const config = configOf({ timeFormat: 'TimeUnixMs', sinks }).options();
    const logger = createLogger({ ...config, clock: fakeClock(AT) });
    logger.info('x');
    await logger.close();
    await stub.stop();
    expect(stub.taken).toMatchObject([{ '@timestamp': SECONDS }]);
  });
});
