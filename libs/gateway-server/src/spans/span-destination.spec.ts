import { describe, expect, it } from '@jest/globals';
import { spanDestination } from './span-destination.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

describe('where spans go', () => {
  it.each<[string, NodeJS.ProcessEnv, boolean]>([
    ['no variable', {}, false],
    ['an endpoint', ENDPOINT, true],
    ['an endpoint of traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a' }, true],
    ['an endpoint of metrics alone', { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://a' }, false],
    ['an empty endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, false],
    ['the exporter otlp', { OTEL_TRACES_EXPORTER: 'otlp' }, true],
    ['the exporter none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }, false],
    ['a disabled SDK', { ...ENDPOINT, OTEL_SDK_DISABLED: 'True' }, false],
    ['its protocol', { ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }, true],
    [
      'the protocol of traces, before the one of all signals',
      {
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
        OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      },
      true,
    ],
  ])('%s is understood', (_what, env, isOtlp) => {
    expect(spanDestination(env)).toEqual({ isOtlp, problems: [] });
  });

  it('is nowhere for what there is no exporter for, with what to set', () => {
    const env = { OTEL_TRACES_EXPORTER: 'zipkin', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' };
    expect(spanDestination(env)).toEqual({
      isOtlp: false,
      problems: [
        'OTEL_TRACES_EXPORTER: "zipkin" is not supported; use otlp or none',
        'OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" is not supported; use http/protobuf',
      ],
    });
  });
});
