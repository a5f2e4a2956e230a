import type { Duration, TimeFormatName } from '@apix/logx/core';
import type { Context } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';

/** A log record for a provider's logger, with the members that both major versions have. */
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
  /** Called after a fatal event, because the process then exits. Optional. */
  forceFlush?(): Promise<void>;
}

/**
 * The destination and the content of records. Without `provider` and `endpoint`, records go to the global
 * provider.
 */
export interface OtelConfig {
  /**
   * A provider of the app. It is flushed only after a fatal event, and never shut down. Cannot be combined
   * with `endpoint`. Default: the global provider.
   */
  readonly provider?: OtelLoggerProvider | undefined;
  /**
   * `host:port`, without a scheme. The sink creates an exporter and a batching processor, and shuts them
   * down when it is closed. Cannot be combined with `provider`. Default: none.
   */
  readonly endpoint?: string | undefined;
  /** The protocol of the endpoint: OTLP over gRPC, or protobuf over HTTP at `/v1/logs`. Default: 'grpc'. */
  readonly protocol?: 'grpc' | 'http' | undefined;
  /** Turns TLS off. Default: false. */
  readonly insecure?: boolean | undefined;
  /** Added to every export request. Default: those of OTEL_EXPORTER_OTLP_HEADERS. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Timeout of an export, including its retries. Default: that of the exporter, 10 s, as for 0. */
  readonly timeout?: Duration | undefined;
  /** The resource of records to the endpoint. Default: that of the SDK. */
  readonly resource?: Resource | undefined;
  /** Added to every record; a field of the event with the same name takes precedence. Default: none. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** The instrumentation scope. Default: '@apix/logx-otel'. */
  readonly scopeName?: string | undefined;
  /** The format of `time` in lines passed to `write`; events have a time. Default: 'TimeRFC3339'. */
  readonly timeFormat?: TimeFormatName | undefined;
  /**
   * Called for events that could not be translated, exported or queued. It must not log through this sink.
   * Default: the error handler of the logger that opened the sink.
   */
  readonly onError?: ((error: Error) => void) | undefined;
  /**
   * How many records may wait for the endpoint. Further records are dropped and counted, except fatal ones.
   * Default: 10,000.
   */
  readonly queueSize?: number | undefined;
  /** Maximum number of records in an export request. Default: 512. */
  readonly batchSize?: number | undefined;
  /** How long a record waits for a full batch. Default: '1s'. */
  readonly flushInterval?: Duration | undefined;
  /** Which probe fails while the endpoint does not accept records. Default: none. */
  readonly health?: 'ready' | 'live' | undefined;
}
