import type { Duration, TimeFormat } from '@apix/logx/core';
import type { Context } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';

/** A log record as a provider's logger takes it, with what the types of both lines have. */
export interface EmittedRecord {
  readonly timestamp?: unknown;
  readonly observedTimestamp?: unknown;
  readonly severityNumber?: number;
  readonly severityText?: string;
  readonly body?: unknown;
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly context?: Context;
}

/** What is used of a LoggerProvider of OpenTelemetry, of whichever line. */
export interface OtelLoggerProvider {
  getLogger(name: string, version?: string): { emit(record: EmittedRecord): void };
  /** Called after a fatal event, since the process ends then. Default: nothing is called. */
  forceFlush?(): Promise<void>;
}

/** Where records go and what stands in them. Without `provider` and `endpoint`: the global one. */
export interface OtelConfig {
  /** Reuses a provider, which is flushed after a fatal event only and never shut down. Excludes `endpoint`. */
  readonly provider?: OtelLoggerProvider | undefined;
  /**
   * `host:port`, without a scheme: the sink has an exporter and a batching processor of its own,
   * and shuts them down when it is closed. Excludes `provider`.
   */
  readonly endpoint?: string | undefined;
  /** Of the endpoint: OTLP over gRPC, or protobuf over HTTP at `/v1/logs`. Default: 'grpc'. */
  readonly protocol?: 'grpc' | 'http' | undefined;
  /** Turns TLS off. Default: false. */
  readonly insecure?: boolean | undefined;
  /** Added to every export request. Default: those of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of an export, its retries included. 0 or none: the exporter's own, 10 s. */
  readonly timeout?: Duration | undefined;
  /** Of the records to the endpoint. Default: the SDK's. */
  readonly resource?: Resource | undefined;
  /** Stamped on every record; a field of the event with the same name wins. Default: none. */
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
  /** Which probe fails while the endpoint takes nothing. Default: none. */
  readonly health?: 'ready' | 'live' | undefined;
}
