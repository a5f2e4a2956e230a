import {
  type Fields,
  isTimeFormatName,
  TIME_FORMATS,
  type TimeFormat,
  type TimeFormatName,
} from '@apix/logx/core';
import { registerShippingType } from '@apix/logx/shipping';
import type { OtelConfig } from '../config/otel-config.js';
import { resolveConfig } from '../config/resolve-config.js';
import { otelSink } from './otel-sink.js';

/** The `type` of the sink in configuration documents. */
export const OTEL_SINK_TYPE = 'otlp';

/** Registers the type with logx. */
export function registerOtelSinkType(): void {
  registerShippingType({
    type: OTEL_SINK_TYPE,
    formats: ['json'],
    read: (fields, { timeFormat }) => readOptions(fields, timeFormat),
    check: resolveConfig,
    make: (config) => otelSink(config),
  });
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
    timeFormat: fields.oneOf('timeFormat', TIME_FORMATS) ?? named(inherited),
    queueSize: fields.amount('queueSize'),
    batchSize: fields.amount('batchSize'),
    flushInterval: fields.duration('flushInterval'),
    health: fields.oneOf('health', ['ready', 'live']),
  };
}

/** Lines with a time in a layout cannot be read; the sink takes events, which have their time as a number. */
function named(format: TimeFormat | undefined): TimeFormatName | undefined {
  return isTimeFormatName(format) ? format : undefined;
}
