import { OptionsError, shownValue } from '@apix/contracts';
import {
  callable,
  checkedOptions,
  choice,
  DURATION,
  FLAG,
  foreignObject,
  objectWith,
  type Option,
  type OptionTable,
  recordOf,
  STRING,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { TIME_FORMATS, type TimeFormatName } from '@apix/logx/core';
import type { Resource } from '@opentelemetry/resources';
import type { OtelConfig, OtelLoggerProvider } from './otel-config.js';

/** Settings of the exporter and the batching processor that the sink creates for an endpoint. */
export interface EndpointSettings {
  readonly endpoint: string;
  readonly protocol: 'grpc' | 'http';
  readonly insecure: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** 0: the default of the exporter. */
  readonly timeoutMs: number;
  readonly resource: Resource | undefined;
  readonly queueSize: number;
  readonly batchSize: number;
  readonly flushIntervalMs: number;
}

export interface Settings {
  readonly provider: OtelLoggerProvider | undefined;
  readonly endpoint: EndpointSettings | undefined;
  readonly attributes: Readonly<Record<string, string>>;
  readonly scopeName: string;
  readonly timeFormat: TimeFormatName;
  readonly health: 'ready' | 'live' | undefined;
}

/** A host, or an IPv6 address in brackets, and a port. */
const HOST_AND_PORT = /^(?:[^\s/:@[\]]+|\[[\da-f:.]+\]):(\d{1,5})$/i;

const ENDPOINT: Option<string> = {
  schema: { type: 'string' },
  read(value, at, mistakes) {
    if (typeof value === 'string' && (value === '' || isHostAndPort(value))) return value;
    mistakes.add(at, `must be host:port without a scheme or a path, not ${shownValue(value)}`);
    return undefined;
  },
};

const PROVIDER: Option<OtelLoggerProvider> = objectWith<OtelLoggerProvider>(
  'a LoggerProvider of OpenTelemetry',
  'getLogger',
);

const COUNT = wholeNumber({ min: 1 });

const OTEL_OPTIONS = {
  provider: PROVIDER,
  endpoint: withDefault(ENDPOINT, ''),
  protocol: withDefault(choice(['grpc', 'http']), 'grpc'),
  insecure: withDefault(FLAG, false),
  headers: withDefault(recordOf(STRING, 'an object of strings'), {}),
  timeout: withDefault(DURATION, 0),
  resource: foreignObject<Resource>('a resource'),
  scopeName: withDefault(STRING, ''),
  attributes: withDefault(recordOf(STRING, 'an object of strings'), {}),
  timeFormat: withDefault(choice(TIME_FORMATS), 'TimeRFC3339'),
  queueSize: withDefault(COUNT, 10_000),
  batchSize: withDefault(COUNT, 512),
  flushInterval: withDefault(DURATION, 1_000),
  health: choice(['ready', 'live']),
  onError: callable<(error: Error) => void>(),
} satisfies OptionTable<OtelConfig>;

/** @throws OptionsError that lists every mistake. */
export function resolveConfig(config: OtelConfig): Settings {
  const read = checkedOptions(
    OTEL_OPTIONS,
    config,
    (found) => new OptionsError('logx-otel', found),
    (_, mistakes) => {
      if (config.provider === undefined || (config.endpoint ?? '') === '') return;
      mistakes.add(
        'endpoint',
        'must not be set together with provider; set one of them, or neither',
      );
    },
  );
  const { provider, endpoint, queueSize, batchSize, attributes, scopeName, timeFormat } = read;
  const ofEndpoint: EndpointSettings = {
    endpoint,
    protocol: read.protocol,
    insecure: read.insecure,
    headers: read.headers,
    timeoutMs: read.timeout,
    resource: read.resource,
    queueSize,
    batchSize: Math.min(queueSize, batchSize),
    flushIntervalMs: read.flushInterval,
  };
  return {
    provider,
    endpoint: endpoint === '' ? undefined : ofEndpoint,
    attributes,
    scopeName: scopeName || '@apix/logx-otel',
    timeFormat,
    health: read.health,
  };
}

function isHostAndPort(endpoint: string): boolean {
  const [, port] = HOST_AND_PORT.exec(endpoint) ?? [];
  return port !== undefined && Number(port) > 0 && Number(port) < 65_536;
}
