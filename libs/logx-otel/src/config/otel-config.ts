import type { Duration, TimeFormat } from '@apix/logx/core';
import type { Context } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';

/** A log record as a provider's logger takes it, with the members that both major versions have. */
export interface EmittedRecord {
  readonly timestamp?: unknown;
  readonly observedTimestamp?: unknown;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly context?: Context;
}

/** The part of OpenTelemetry's LoggerProvider that is used, of either major version. */
export interface OtelLoggerProvider {
  getLogger(name: string, version?: string): { emit(record: EmittedRecord): void };
  /** Called after a fatal event, since the process ends then. Default: nothing is called. */
  forceFlush?(): Promise<void>;
}

/** The destination and the content of records. Without `provider` and `endpoint`: the global one. */
export interface OtelConfig {
  /** Reuses a provider, which is flushed after a fatal event only and never shut down. Excludes `endpoint`. */
  readonly provider?: OtelLoggerProvider | undefined;
  /**
   * `host:port`, without a scheme: the sink has its own exporter and batching processor, and shuts them
   * down when it is closed. Cannot be combined with `provider`.
   */
  readonly endpoint?: string | undefined;
  /** Of the endpoint: OTLP over gRPC, or protobuf over HTTP at `/v1/logs`. Default: 'grpc'. */
  readonly protocol?: 'grpc' | 'http' | undefined;
  /** Turns TLS off. Default: false. */
  readonly insecure?: boolean | undefined;
  /** Added to every export request. Default: those of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Timeout of an export, its retries included. 0 or undefined: that of the exporter, 10 s. */
  readonly timeout?: Duration | undefined;
  /** Of the records to the endpoint. Default: the SDK's. */
  readonly resource?: Resource | undefined;
  /** Added to every record; a field of the event with the same name takes precedence. Default: none. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** The instrumentation scope. Default: '@apix/logx-otel'. */
  readonly scopeName?: string | undefined;
  /** How `write` reads the `time` of a line; events carry theirs. Default: 'TimeRFC3339'. */
  readonly timeFormat?: TimeFormat | undefined;
  /**
   * Told of what could not be translated, exported or kept. It must not log through this sink.
   * Default: the error handler of the logger that opened the sink.
   */
  readonly onError?: ((error: Error) => void) | undefined;
  /** Records that wait for the endpoint at most; more are dropped, unless they are fatal, and counted. Default: 10,000. */
  readonly queueSize?: number | undefined;
  /** Records in an export request at most. Default: 512. */
  readonly batchSize?: number | undefined;
  /** How long a record waits for a full batch. Default: '1s'. */
  readonly flushInterval?: Duration | undefined;
  /** Which probe fails while the endpoint does not accept records. Default: none. */
  readonly health?: 'ready' | 'live' | undefined;
}
