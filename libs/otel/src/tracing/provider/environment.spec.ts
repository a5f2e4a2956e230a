import { describe, expect, it } from '@jest/globals';
import { environmentResource, OtelEnvironment } from './environment.js';
import { loadSdk } from './sdk.js';

const sdk = await loadSdk();

function environmentOf(variables: NodeJS.ProcessEnv) {
  const reports: string[] = [];
  return { reports, environment: new OtelEnvironment((it) => void reports.push(it), variables) };
}

describe('the sampler of the environment', () => {
  it.each([
    [undefined, undefined, undefined],
    ['', '0.5', undefined],
    ['always_on', undefined, 'AlwaysOnSampler'],
    [' always_off ', undefined, 'AlwaysOffSampler'],
    ['traceidratio', '0.25', 'TraceIdRatioBased{0.25}'],
    ['traceidratio', undefined, 'TraceIdRatioBased{1}'],
    ['parentbased_traceidratio', '.5', /^ParentBased\{root=TraceIdRatioBased\{0.5\}, /],
    ['parentbased_always_off', '7', /^ParentBased\{root=AlwaysOffSampler, /],
    ['parentbased_always_on', undefined, /^ParentBased\{root=AlwaysOnSampler, /],
  ])('%s with %s is %s', (name, argument, expected) => {
    const { environment, reports } = environmentOf({
      OTEL_TRACES_SAMPLER: name,
      OTEL_TRACES_SAMPLER_ARG: argument,
    });
    const described = String(environment.sampler(sdk));
    expect(described).toEqual(
      expected instanceof RegExp ? expect.stringMatching(expected) : String(expected),
    );
    expect(reports).toEqual([]);
  });

  it('that nobody knows is reported, and has no effect', () => {
    const { environment, reports } = environmentOf({ OTEL_TRACES_SAMPLER: 'jaeger_remote' });
    expect(environment.sampler(sdk)).toBeUndefined();
    expect(reports).toEqual([
      'otel: OTEL_TRACES_SAMPLER: "jaeger_remote" is not one of always_on, always_off, traceidratio, ' +
        'parentbased_always_on, parentbased_always_off, parentbased_traceidratio; it has no effect',
    ]);
  });

  it.each(['2', '-1', 'half', '0x'])(
    'samples all with the share %s, which is reported',
    (share) => {
      const { environment, reports } = environmentOf({
        OTEL_TRACES_SAMPLER: 'traceidratio',
        OTEL_TRACES_SAMPLER_ARG: share,
      });
      expect(String(environment.sampler(sdk))).toBe('TraceIdRatioBased{1}');
      expect(reports).toEqual([
        `otel: OTEL_TRACES_SAMPLER_ARG: "${share}" is not a number from 0 to 1; it has no effect`,
      ]);
    },
  );
});

describe('the propagators of the environment', () => {
  it.each([
    [undefined, ['traceparent', 'tracestate', 'baggage'], 0],
    ['tracecontext', ['traceparent', 'tracestate'], 0],
    ['baggage,baggage', ['baggage'], 0],
    ['none', [], 0],
    ['tracecontext,none', [], 0],
    ['b3, tracecontext', ['traceparent', 'tracestate'], 1],
  ])('%s send %j', (names, fields, reported) => {
    const { environment, reports } = environmentOf({ OTEL_PROPAGATORS: names });
    expect(environment.propagators(sdk).flatMap((it) => it.fields())).toEqual(fields);
    expect(reports).toHaveLength(reported);
  });
});

it('batches and limits of the environment are those of the SDK; what is none is reported', () => {
  const { environment, reports } = environmentOf({
    OTEL_BSP_SCHEDULE_DELAY: '100',
    OTEL_BSP_EXPORT_TIMEOUT: '0',
    OTEL_BSP_MAX_QUEUE_SIZE: '10',
    OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '-5',
    OTEL_ATTRIBUTE_COUNT_LIMIT: '7',
    OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: '8',
    OTEL_ATTRIBUTE_VALUE_LENGTH_LIMIT: '64',
    OTEL_SPAN_EVENT_COUNT_LIMIT: '1.5',
    OTEL_SPAN_LINK_COUNT_LIMIT: '',
  });
  expect(environment.batches()).toEqual({ scheduledDelayMillis: 100, maxQueueSize: 10 });
  expect(environment.limits()).toEqual({ attributeCountLimit: 8, attributeValueLengthLimit: 64 });
  expect(reports).toEqual([
    'otel: OTEL_BSP_EXPORT_TIMEOUT: "0" is not an integer from 1; it has no effect',
    'otel: OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "-5" is not an integer from 1; it has no effect',
    'otel: OTEL_SPAN_EVENT_COUNT_LIMIT: "1.5" is not an integer from 0; it has no effect',
  ]);
});

it('the resource of one of several processes says which one it is, as an instance of its own', () => {
  const mark = Symbol.for('apix.ProcessMark');
  const shared = globalThis as { [mark]?: unknown };
  const before = shared[mark];
  try {
    shared[mark] = { index: 2, seat: 3, count: 2, parent: process.ppid };
    const { attributes } = environmentResource();
    expect(attributes).toMatchObject({
      'process.index': 2,
      'process.pid': process.pid,
      'service.instance.id': expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(environmentResource().attributes).toEqual(attributes);
    shared[mark] = null;
    expect(Object.keys(environmentResource().attributes)).not.toContain('service.instance.id');
  } finally {
    shared[mark] = before;
  }
});
