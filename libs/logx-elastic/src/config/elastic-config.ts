import type { Clock, Duration } from '@apix/contracts';
import type { HttpClient } from '../wire/http-client.js';

/** The config of an elastic sink. Only `addresses` and `index` are required. */
export interface ElasticConfig {
  /**
   * The nodes, used in turn, such as `https://es-1:9200`; a path is kept, before `/<index>/_bulk`. A node
   * that fails is not used for a while, as long as others are available.
   */
  readonly addresses: readonly string[];
  /** The index, alias or data stream. */
  readonly index: string;
  /** A data stream accepts only `create`; an index or an alias accepts both. Default: `'index'`. */
  readonly action?: 'index' | 'create' | undefined;
  /** With `password`: basic credentials. Default: none. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /**
   * An API key: the value of `encoded` that Elasticsearch returned, or `id:api_key`. Takes precedence over
   * basic credentials. Default: none.
   */
  readonly apiKey?: string | undefined;
  /** TLS for nodes with `https:`. Default: the authorities that Node trusts, and no client certificate. */
  readonly tls?: ElasticTls | undefined;
  /** Maximum number of events in a request. Default: 500. */
  readonly batchSize?: number | undefined;
  /** Maximum size of a request in bytes; only a single event may be larger. Default: 5 MiB. */
  readonly batchBytes?: number | undefined;
  /** How long an event waits at most for its batch to fill. Default: `'5s'`. */
  readonly flushInterval?: Duration | undefined;
  /**
   * Maximum number of events in memory, including those being sent; further events are dropped and counted,
   * except fatal ones. At least `batchSize`. With a spool, further events go to disk; events read back from
   * it, a batch at a time, do not count here. Default: 10000, or `batchSize` if that is more.
   */
  readonly queueSize?: number | undefined;
  /** Maximum size of events in memory, in bytes. Default: 32 MiB. */
  readonly queueBytes?: number | undefined;
  /**
   * How often a request that no node accepted is repeated. Trying another node that is not known to be down
   * does not count as a repetition. A status 4xx of the whole request is never a reason
   * to repeat it; 429 of single events is a reason to send these again. Default: 3.
   */
  readonly maxRetries?: number | undefined;
  /**
   * The pause before the first repetition; doubled for each further one, up to 10 s, less a random part of
   * up to half of it. A longer `Retry-After` takes precedence. Default: `'500ms'`.
   */
  readonly retryDelay?: Duration | undefined;
  /** Timeout of one request. Default: `'30s'`. */
  readonly timeout?: Duration | undefined;
  /** Maximum number of concurrent requests. Events on disk are sent one request at a time. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Compresses requests, which takes more CPU. Default: false. */
  readonly gzip?: boolean | undefined;
  /** Keeps events on disk until the cluster has accepted them. Default: memory only. */
  readonly spool?: SpoolConfig | undefined;
  /**
   * Which health check fails while the cluster does not accept events. Default: none, because stopping the
   * traffic of an instance that cannot ship its logs seldom helps.
   */
  readonly health?: 'ready' | 'live' | undefined;
  /**
   * Called with what was lost and why; must not log through this sink. Default: the error handler of the
   * logger.
   */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Sends the requests. Default: Node's http and https with keep-alive. */
  readonly client?: HttpClient | undefined;
  /** Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** TLS options, as for `node:tls`. */
export interface ElasticTls {
  /** Trusted certificate authorities, instead of those of Node. PEM. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** The client certificate. PEM. */
  readonly cert?: string | Buffer | undefined;
  /** Its private key. PEM. */
  readonly key?: string | Buffer | undefined;
  readonly passphrase?: string | undefined;
}

export interface SpoolConfig {
  /**
   * A directory, which is created if it does not exist. Several processes of one machine may share it; two
   * sinks of one process may not.
   */
  readonly path: string;
  /** Maximum size on disk in bytes; further events are dropped and counted, except fatal ones. Default: 1 GiB. */
  readonly maxBytes?: number | undefined;
}
