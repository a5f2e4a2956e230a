import { Mistakes, OptionsError, shownValue } from '@apix/contracts';
import { TIME_FORMATS, type TimeFormat } from '@apix/logx/core';
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
  readonly timeFormat: TimeFormat;
  readonly health: 'ready' | 'live' | undefined;
}

/** A host, or an IPv6 address in brackets, and a port. */
const HOST_AND_PORT = /^(?:[^\s/:@[\]]+|\[[\da-f:.]+\]):(\d{1,5})$/i;

/** @throws OptionsError that lists every mistake. */
export function resolveConfig(config: OtelConfig): Settings {
  const mistakes = new Mistakes();
  const { provider, endpoint = '', protocol = 'grpc', headers = {}, attributes = {} } = config;
  if (provider !== undefined && endpoint !== '') {
    mistakes.add('endpoint', 'must not be set together with provider; set one of them, or neither');
  }
  if (provider !== undefined && typeof provider?.getLogger !== 'function') {
    mistakes.add('provider', 'must be a LoggerProvider of OpenTelemetry');
  }
  if (endpoint !== '' && !isHostAndPort(endpoint)) {
    const shown = shownValue(endpoint);
    mistakes.add('endpoint', `must be host:port without a scheme or a path, not ${shown}`);
  }
  const queueSize = mistakes.count('queueSize', config.queueSize ?? 10_000, { min: 1 });
  const batchSize = mistakes.count('batchSize', config.batchSize ?? 512, { min: 1 });
  const ofEndpoint: EndpointSettings = {
    endpoint,
    protocol: mistakes.choice('protocol', protocol, ['grpc', 'http']),
    insecure: mistakes.flag('insecure', config.insecure ?? false),
    headers: textsOf('headers', headers, mistakes),
    timeoutMs: mistakes.duration('timeout', config.timeout ?? 0),
    resource: config.resource,
    queueSize,
    batchSize: Math.min(queueSize, batchSize),
    flushIntervalMs: mistakes.duration('flushInterval', config.flushInterval ?? 1_000),
  };
  const { timeFormat = 'TimeRFC3339', health } = config;
  const settings: Settings = {
    provider,
    endpoint: endpoint === '' ? undefined : ofEndpoint,
    attributes: textsOf('attributes', attributes, mistakes),
    scopeName: config.scopeName || '@apix/logx-otel',
    timeFormat: mistakes.choice('timeFormat', timeFormat, TIME_FORMATS),
    health:
      health === undefined
        ? undefined
        : mistakes.choice<'ready' | 'live'>('health', health, ['ready', 'live']),
  };
  mistakes.throwIfAny((found) => new OptionsError('logx-otel', found));
  return settings;
}

function textsOf(
  where: string,
  texts: Readonly<Record<string, string>>,
  mistakes: Mistakes,
): Readonly<Record<string, string>> {
  const isFine = typeof texts === 'object' && texts !== null && !Array.isArray(texts);
  if (!isFine) mistakes.add(where, `must be an object of strings, not ${shownValue(texts)}`);
  for (const [name, text] of Object.entries(isFine ? texts : {})) {
    if (typeof text === 'string') continue;
    mistakes.add(`${where}.${name}`, `must be a string, not ${shownValue(text)}`);
  }
  return texts;
}

function isHostAndPort(endpoint: string): boolean {
  const [, port] = HOST_AND_PORT.exec(endpoint) ?? [];
  return port !== undefined && Number(port) > 0 && Number(port) < 65_536;
}
