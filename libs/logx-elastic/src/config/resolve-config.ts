import { type Clock, OptionsError, shownValue, systemClock } from '@apix/contracts';
import {
  anyValue,
  arrayOf,
  callable,
  checkedOptions,
  choice,
  CLOCK,
  DURATION,
  duration,
  FLAG,
  foreignObject,
  type Option,
  type OptionTable,
  required,
  section,
  shaped,
  STRING,
  TEXT,
  wholeNumber,
  withDefault,
} from '@apix/contracts/internal';
import { authorizationOf } from '../wire/authorization.js';
import type { HttpClient } from '../wire/http-client.js';
import type { ElasticConfig, ElasticTls, SpoolConfig } from './elastic-config.js';

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

const ADDRESS: Option<URL> = {
  schema: undefined,
  read(address, at, mistakes) {
    const url = typeof address === 'string' && URL.canParse(address) ? new URL(address) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      mistakes.add(at, `must be a URL with http: or https:, not ${safeAddress(address)}`);
      return undefined;
    }
    if (url.username === '' && url.password === '') return url;
    mistakes.add(at, `must not contain credentials; set username and password (${url.host})`);
    return undefined;
  },
};

const ADDRESSES: Option<readonly URL[]> = {
  schema: undefined,
  read(value, at, mistakes) {
    if (Array.isArray(value) && value.length > 0) return arrayOf(ADDRESS).read(value, at, mistakes);
    mistakes.add(at, 'must have at least one node, such as "https://es-1:9200"');
    return undefined;
  },
};

const CERTIFICATE = foreignObject<Buffer>('PEM text or a Buffer');
const PEM = shaped<string | Buffer>((value) => (typeof value === 'string' ? TEXT : CERTIFICATE));

const COUNT = wholeNumber({ min: 1 });

const ELASTIC_OPTIONS = {
  addresses: required(ADDRESSES, []),
  index: required(TEXT, ''),
  action: withDefault(choice(['index', 'create']), 'index'),
  username: STRING,
  password: STRING,
  apiKey: STRING,
  tls: section({
    ca: shaped<unknown>((value) => (Array.isArray(value) ? arrayOf(PEM) : PEM)),
    cert: PEM,
    key: PEM,
    passphrase: STRING,
  } satisfies OptionTable<ElasticTls>),
  batchSize: withDefault(COUNT, 500),
  batchBytes: withDefault(COUNT, 5 * MEBIBYTE),
  flushInterval: withDefault(duration({ min: 1 }), 5_000),
  queueSize: COUNT,
  queueBytes: withDefault(COUNT, 32 * MEBIBYTE),
  maxRetries: withDefault(wholeNumber({ min: 0 }), 3),
  retryDelay: withDefault(DURATION, 500),
  timeout: withDefault(duration({ min: 1 }), 30_000),
  concurrency: withDefault(COUNT, 4),
  gzip: withDefault(FLAG, false),
  spool: section({
    path: required(TEXT, ''),
    maxBytes: withDefault(wholeNumber({ min: MEBIBYTE }), 1024 * MEBIBYTE),
  } satisfies OptionTable<SpoolConfig>),
  health: choice(['ready', 'live']),
  onError: callable<(error: Error) => void>(),
  client: anyValue<HttpClient>(),
  clock: withDefault(CLOCK, systemClock),
} satisfies OptionTable<ElasticConfig>;

/** @throws OptionsError that lists every mistake in the config. */
export function resolveConfig(config: ElasticConfig): Settings {
  const read = checkedOptions(
    ELASTIC_OPTIONS,
    config,
    (found) => new OptionsError('logx-elastic', found),
    ({ batchSize }, mistakes) => {
      const { username, password, queueSize } = config;
      if ((username === undefined) !== (password === undefined)) {
        const missing = username === undefined ? 'username' : 'password';
        mistakes.add(missing, 'is required: username and password belong together');
      }
      if (Number(queueSize) >= 1) {
        wholeNumber({ min: batchSize }).read(queueSize, 'queueSize', mistakes);
      }
    },
  );
  const { addresses, flushInterval, retryDelay, timeout, spool, health, ...others } = read;
  return {
    ...others,
    urls: addresses.map((address) => bulkUrl(address, read.index)),
    authorization: authorizationOf(config),
    tls: config.tls ?? {},
    flushIntervalMs: flushInterval,
    queueSize: read.queueSize ?? Math.max(10_000, read.batchSize),
    retryDelayMs: retryDelay,
    timeoutMs: timeout,
    spool,
    health,
  };
}

function bulkUrl(address: URL, index: string): URL {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${encodeURIComponent(index)}/_bulk`;
  return url;
}

/** The address without credentials, which must not appear in an error message. */
function safeAddress(address: unknown): string {
  return shownValue(typeof address === 'string' ? address.replace(/\/\/[^/]*@/, '//…@') : address);
}
