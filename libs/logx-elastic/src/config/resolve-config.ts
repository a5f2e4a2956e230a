import { type Clock, type Duration, parseDuration, systemClock } from '@apix/contracts';
import { authorizationOf } from '../wire/authorization.js';
import type { ElasticConfig, ElasticTls } from './elastic-config.js';

const MEBIBYTE = 1024 * 1024;

/** A config that is checked and has every default. */
export interface Settings {
  /** Where to send bulk requests, one for each node. */
  readonly urls: readonly URL[];
  readonly action: 'index' | 'create';
  readonly authorization: string | undefined;
  readonly tls: ElasticTls;
  readonly index: string;
  readonly batchSize: number;
  readonly batchBytes: number;
  readonly flushIntervalMs: number;
  readonly queueSize: number;
  readonly queueBytes: number;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly timeoutMs: number;
  readonly concurrency: number;
  readonly gzip: boolean;
  readonly spool: { readonly path: string; readonly maxBytes: number } | undefined;
  readonly health: 'ready' | 'live' | undefined;
  readonly clock: Clock;
}

/** @throws RangeError that lists every mistake of the config. */
export function resolveConfig(config: ElasticConfig): Settings {
  const mistakes: string[] = [];
  const count = (name: keyof ElasticConfig, least: number, fallback: number): number => {
    const value: unknown = config[name] ?? fallback;
    if (Number.isInteger(value) && (value as number) >= least) return value as number;
    mistakes.push(`${name} must be a whole number from ${least} up, not ${String(value)}`);
    return fallback;
  };
  const duration = (name: keyof ElasticConfig, fallback: Duration): number => {
    try {
      const ms = parseDuration((config[name] ?? fallback) as Duration);
      if (ms > 0 || name === 'retryDelay') return ms;
      mistakes.push(`${name} must be longer than 0`);
    } catch (error) {
      mistakes.push(`${name}: ${(error as Error).message.replace('apix: ', '')}`);
    }
    return parseDuration(fallback);
  };
  const { spool, username, password, index } = config;
  if (typeof index !== 'string' || index === '') mistakes.push('index is required');
  if ((username === undefined) !== (password === undefined)) {
    mistakes.push('username and password belong together');
  }
  if (spool !== undefined && (typeof spool.path !== 'string' || spool.path === '')) {
    mistakes.push('spool.path is required');
  }
  const maxBytes = spool?.maxBytes ?? 1024 * MEBIBYTE;
  if (!(maxBytes >= MEBIBYTE)) mistakes.push('spool.maxBytes must be at least 1 MiB (1048576)');
  const batchSize = count('batchSize', 1, 500);
  const queueSize = count('queueSize', 1, Math.max(10_000, batchSize));
  if (queueSize < batchSize) mistakes.push(`queueSize must hold a batch, ${batchSize} events`);
  const settings: Settings = {
    urls: urlsOf(config, mistakes),
    index,
    action: config.action ?? 'index',
    authorization: authorizationOf(config),
    tls: config.tls ?? {},
    batchSize,
    batchBytes: count('batchBytes', 1, 5 * MEBIBYTE),
    flushIntervalMs: duration('flushInterval', '5s'),
    queueSize,
    queueBytes: count('queueBytes', 1, 32 * MEBIBYTE),
    maxRetries: count('maxRetries', 0, 3),
    retryDelayMs: duration('retryDelay', '500ms'),
    timeoutMs: duration('timeout', '30s'),
    concurrency: count('concurrency', 1, 4),
    gzip: config.gzip ?? false,
    spool: spool && { path: spool.path, maxBytes },
    health: config.health,
    clock: config.clock ?? systemClock,
  };
  if (mistakes.length > 0) {
    throw new RangeError(`logx-elastic: the config is wrong: ${mistakes.join('; ')}`);
  }
  return settings;
}

function urlsOf({ addresses, index }: ElasticConfig, mistakes: string[]): URL[] {
  if (!Array.isArray(addresses) || addresses.length === 0) {
    mistakes.push('addresses needs a node, such as "https://es-1:9200"');
    return [];
  }
  return (addresses as readonly string[]).flatMap((address) => {
    const url = URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      mistakes.push(`the address ${safeAddress(address)} is no URL with http: or https:`);
      return [];
    }
    if (url.username !== '' || url.password !== '') {
      mistakes.push(`put the credentials of ${url.host} into username and password`);
      return [];
    }
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(index)}/_bulk`;
    return [url];
  });
}

/** Credentials of a mistyped address do not belong into a message. */
function safeAddress(address: unknown): string {
  return JSON.stringify(String(address).replace(/\/\/[^/]*@/, '//…@'));
}
