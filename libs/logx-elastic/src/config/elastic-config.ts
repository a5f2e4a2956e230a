import type { Clock, Duration } from '@apix/contracts';
import type { HttpClient } from '../wire/http-client.js';

/** The config of an elastic sink. Only `addresses` and `index` are required. */
export interface ElasticConfig {
  /**
   * The nodes, used in turn, such as `https://es-1:9200`; a path before `/_bulk` is kept. A node
   * that does not answer rests while others do.
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
   * An API key: the `encoded` text that Elasticsearch gave with it, or `id:api_key`. Takes precedence over
   * basic credentials. Default: none.
   */
  readonly apiKey?: string | undefined;
  /** Of nodes with `https:`. Default: what Node trusts, no certificate of our own. */
  readonly tls?: ElasticTls | undefined;
  /** Events in a request at most. Default: 500. */
  readonly batchSize?: number | undefined;
  /** Bytes of a request at most, unless one event alone is larger. Default: 5 MiB. */
  readonly batchBytes?: number | undefined;
  /** How long an event waits for others at most. Default: `'5s'`. */
  readonly flushInterval?: Duration | undefined;
  /**
   * Maximum number of events in memory, those under way included; further events are dropped and counted,
   * except fatal ones. At least `batchSize`. With a spool, further events go to disk; events read back from
   * it, a batch at a time, do not count here. Default: 10000, or `batchSize` if that is more.
   */
  readonly queueSize?: number | undefined;
  /** Bytes of events in memory at most. Default: 32 MiB. */
  readonly queueBytes?: number | undefined;
  /**
   * How often a request is repeated that no node took; going on to a node that is not known to be down is
   * not a repetition. An answer 4xx to the request is never a reason to repeat; 429 of single events is.
   * Default: 3.
   */
  readonly maxRetries?: number | undefined;
  /**
   * The pause before the first repetition; doubled for each further one, up to 10 s, less a random part of
   * up to half of it. A longer `Retry-After` takes precedence. Default: `'500ms'`.
   */
  readonly retryDelay?: Duration | undefined;
  /** Of one request. Default: `'30s'`. */
  readonly timeout?: Duration | undefined;
  /** Requests under way at once. Events on disk go one request at a time. Default: 4. */
  readonly concurrency?: number | undefined;
  /** Compresses requests: fewer bytes for more CPU. Default: false. */
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

/** As `node:tls` takes them. */
export interface ElasticTls {
  /** Certificates of authorities that are trusted, instead of Node's own. PEM. */
  readonly ca?: string | Buffer | readonly (string | Buffer)[] | undefined;
  /** Our own certificate. PEM. */
  readonly cert?: string | Buffer | undefined;
  /** Its private key. PEM. */
  readonly key?: string | Buffer | undefined;
  readonly passphrase?: string | undefined;
}

export interface SpoolConfig {
  /**
   * A directory, of one sink of a process; each process has its own folder in it. Made when it is not
   * there.
   */
  readonly path: string;
  /** Bytes on disk at most; events beyond are dropped and counted, unless they are fatal. Default: 1 GiB. */
  readonly maxBytes?: number | undefined;
}
