import { type Duration, parseDuration, parseTimeFormat, type TimeFormat } from '@apix/logx/core';
import type { Resource } from '@opentelemetry/resources';
import type { OtelConfig, OtelLoggerProvider } from './otel-config.js';

/** Settings of an exporter and a batching processor of the sink's own. */
export interface EndpointSettings {
  readonly endpoint: string;
  readonly protocol: 'grpc' | 'http';
  readonly insecure: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** 0: the exporter's own. */
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

/** @throws RangeError that lists every mistake. */
export function resolveConfig(config: OtelConfig): Settings {
  const mistakes: string[] = [];
  const { provider, endpoint = '', protocol = 'grpc', headers = {}, attributes = {} } = config;
  if (provider !== undefined && endpoint !== '') {
    mistakes.push('provider and endpoint exclude each other: give one of them, or none');
  }
  if (endpoint !== '' && !isHostAndPort(endpoint)) {
    const shown = JSON.stringify(endpoint);
    mistakes.push(`endpoint: ${shown} is no host:port; it has neither a scheme nor a path`);
  }
  if (protocol !== 'grpc' && protocol !== 'http') {
    mistakes.push(`protocol: must be grpc or http, not ${JSON.stringify(protocol)}`);
  }
  const duration = (name: string, value: Duration): number => {
    try {
      return parseDuration(value);
    } catch (error) {
      mistakes.push(`${name}: ${(error as Error).message.replace(/^apix: /, '')}`);
      return 0;
    }
  };
  const count = (name: string, value: number): number => {
    if (!Number.isInteger(value) || value < 1) {
      mistakes.push(`${name}: must be a whole number from 1 up, not ${value}`);
    }
    return value;
  };
  const queueSize = count('queueSize', config.queueSize ?? 10_000);
  const settings: Settings = {
    provider,
    endpoint:
      endpoint === ''
        ? undefined
        : {
            endpoint,
            protocol,
            insecure: config.insecure ?? false,
            headers,
            timeoutMs: duration('timeout', config.timeout ?? 0),
            resource: config.resource,
            queueSize,
            batchSize: Math.min(queueSize, count('batchSize', config.batchSize ?? 512)),
            flushIntervalMs: duration('flushInterval', config.flushInterval ?? 1_000),
          },
    attributes,
    scopeName: config.scopeName || '@apix/logx-otel',
    timeFormat: timeFormatOf(config.timeFormat, mistakes),
    health: config.health,
  };
  if (mistakes.length > 0) {
    throw new RangeError(`logx-otel: wrong config: ${mistakes.join('; ')}`);
  }
  return settings;
}

function isHostAndPort(endpoint: string): boolean {
  const [, port] = HOST_AND_PORT.exec(endpoint) ?? [];
  return port !== undefined && Number(port) > 0 && Number(port) < 65_536;
}

function timeFormatOf(name: string | undefined, mistakes: string[]): TimeFormat {
  try {
    return parseTimeFormat(name ?? 'TimeRFC3339');
  } catch (error) {
    mistakes.push(`timeFormat: ${(error as Error).message.replace(/^logx: /, '')}`);
    return 'TimeRFC3339';
  }
}
