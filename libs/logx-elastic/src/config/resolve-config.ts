import { type Clock, Mistakes, OptionsError, shownValue, systemClock } from '@apix/contracts';
import { authorizationOf } from '../wire/authorization.js';
import type { ElasticConfig, ElasticTls } from './elastic-config.js';

const MEBIBYTE = 1024 * 1024;

/** A valid config with all defaults. */
export interface Settings {
  /** The URLs for bulk requests, one for each node. */
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

/** @throws OptionsError that lists every mistake in the config. */
export function resolveConfig(config: ElasticConfig): Settings {
  const mistakes = new Mistakes();
  const { spool, username, password, action = 'index', gzip = false, health } = config;
  const maxBytes = spool?.maxBytes ?? 1024 * MEBIBYTE;
  if (spool !== undefined) {
    mistakes.text('spool.path', spool.path);
    mistakes.count('spool.maxBytes', maxBytes, { min: MEBIBYTE });
  }
  if ((username === undefined) !== (password === undefined)) {
    const missing = username === undefined ? 'username' : 'password';
    mistakes.add(missing, 'is required: username and password belong together');
  }
  const batchSize = mistakes.count('batchSize', config.batchSize ?? 500, { min: 1 });
  const queueSize = config.queueSize ?? Math.max(10_000, batchSize);
  const settings: Settings = {
    index: mistakes.text('index', config.index),
    urls: urlsOf(config, mistakes),
    action: mistakes.choice('action', action, ['index', 'create']),
    authorization: authorizationOf(config),
    tls: config.tls ?? {},
    batchSize,
    batchBytes: mistakes.count('batchBytes', config.batchBytes ?? 5 * MEBIBYTE, { min: 1 }),
    flushIntervalMs: mistakes.duration('flushInterval', config.flushInterval ?? '5s', { min: 1 }),
    queueSize: mistakes.count('queueSize', queueSize, { min: batchSize }),
    queueBytes: mistakes.count('queueBytes', config.queueBytes ?? 32 * MEBIBYTE, { min: 1 }),
    maxRetries: mistakes.count('maxRetries', config.maxRetries ?? 3, { min: 0 }),
    retryDelayMs: mistakes.duration('retryDelay', config.retryDelay ?? '500ms'),
    timeoutMs: mistakes.duration('timeout', config.timeout ?? '30s', { min: 1 }),
    concurrency: mistakes.count('concurrency', config.concurrency ?? 4, { min: 1 }),
    gzip: mistakes.flag('gzip', gzip),
    spool: spool && { path: spool.path, maxBytes },
    health:
      health === undefined
        ? undefined
        : mistakes.choice<'ready' | 'live'>('health', health, ['ready', 'live']),
    clock: config.clock ?? systemClock,
  };
  mistakes.throwIfAny((found) => new OptionsError('logx-elastic', found));
  return settings;
}

function urlsOf({ addresses, index }: ElasticConfig, mistakes: Mistakes): URL[] {
  if (!Array.isArray(addresses) || addresses.length === 0) {
    mistakes.add('addresses', 'must have at least one node, such as "https://es-1:9200"');
    return [];
  }
  return (addresses as readonly unknown[]).flatMap((address, i) => {
    const where = `addresses[${i}]`;
    const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      mistakes.add(where, `must be a URL with http: or https:, not ${safeAddress(address)}`);
      return [];
    }
    if (url.username !== '' || url.password !== '') {
      mistakes.add(where, `must not contain credentials; set username and password (${url.host})`);
      return [];
    }
    url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(index)}/_bulk`;
    return [url];
  });
}

/** The address without credentials, which must not appear in an error message. */
function safeAddress(address: unknown): string {
  return shownValue(typeof address === 'string' ? address.replace(/\/\/[^/]*@/, '//…@') : address);
}
