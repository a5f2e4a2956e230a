import {
  type Fields,
  parseTimeFormat,
  registerSinkType,
  type SinkFactory,
  type TimeFormat,
} from '@apix/logx/core';
import type { OtelConfig } from '../config/otel-config.js';
import { resolveConfig } from '../config/resolve-config.js';
import { otelSink } from './otel-sink.js';
import { documentSinks } from './otel-sinks.js';

/** The `type` of the sink in configuration documents. */
export const OTEL_SINK_TYPE = 'otlp';

const factory: SinkFactory = (settings, entry) => {
  const config = entry.decodeOptions((fields) => readOptions(fields, settings.timeFormat));
  if (entry.format !== undefined && entry.format !== 'json') {
    throw new RangeError(`an otlp sink takes no other format than json, not ${entry.format}`);
  }
  resolveConfig(config);
  return {
    kind: OTEL_SINK_TYPE,
    format: 'json',
    open(context) {
      const sink = otelSink(config);
      const opened = sink.open(context);
      documentSinks.add(sink);
      return {
        ...opened,
        async close(deadline) {
          documentSinks.delete(sink);
          await opened.close?.(deadline);
        },
      };
    },
  };
};

/** Makes the type known to logx. */
export function registerOtelSinkType(): void {
  registerSinkType(OTEL_SINK_TYPE, factory);
}

function readOptions(fields: Fields, inherited: TimeFormat | undefined): OtelConfig {
  return {
    endpoint: fields.text('endpoint'),
    protocol: fields.oneOf('protocol', ['grpc', 'http']),
    insecure: fields.flag('insecure'),
    headers: fields.texts('headers'),
    timeout: fields.duration('timeout'),
    scopeName: fields.text('scopeName'),
    attributes: fields.texts('attributes'),
    timeFormat: fields.parsedText('timeFormat', parseTimeFormat) ?? inherited,
    queueSize: fields.amount('queueSize'),
    batchSize: fields.amount('batchSize'),
    flushInterval: fields.duration('flushInterval'),
    health: fields.oneOf('health', ['ready', 'live']),
  };
}
