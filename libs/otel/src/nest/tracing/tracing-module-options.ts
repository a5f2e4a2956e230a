import { Mistakes } from '@apix/contracts';
import type { MeterProvider } from '@opentelemetry/api';
import { OtelError } from '../../errors.js';
import { type GraphqlSpansOptions, readGraphqlSpans } from '../../graphql/operation-spans.js';
import { type MessageSpansOptions, readMessageSpans } from '../../messages/message-spans.js';
import { type HttpTracingOptions, readHttpTracing } from '../../http/http-tracing-options.js';
import { type GrpcTracingOptions, readGrpcTracing } from '../../grpc/grpc-tracing-options.js';
import type { RecentTracesOptions } from '../../recent/recent-traces-options.js';
import { type OpenTracingOptions, noteTracingMistakes } from '../../tracing/tracing-options.js';

/**
 * With an `exporter`, `processors` or the options of `recent` tracing is set up; else it is on the app's own.
 * Nest's logger warns by default.
 */
export interface TracingModuleOptions extends OpenTracingOptions {
  /** Where durations are recorded; its owner shuts it down. Default: that of OtelModule, else the global one. */
  readonly meterProvider?: MeterProvider | undefined;
  /**
   * Spans of GraphQL operations, if this version of @nestjs/graphql reports them; false: none. Default: {}.
   */
  readonly graphql?: false | GraphqlSpansOptions | undefined;
  /** Spans of messages, of transports and gateways, and of jobs that the host follows; false: none. Default: {}. */
  readonly messages?: false | MessageSpansOptions | undefined;
  /** Spans and figures of HTTP requests; false: none. Default: all but of health, metrics and docs. */
  readonly http?: HttpTracingOptions | false | undefined;
  /**
   * Tracing and figures of gRPC calls, incoming and outgoing; false: none. Default: the default of each
   * option.
   */
  readonly grpc?: GrpcTracingOptions | false | undefined;
  /**
   * Traces of the last minutes for the host page, kept in memory. Options without an `exporter` or
   * `processors` set up a provider that sends no spans; with the app's own provider, give that a
   * `RecentTraces` as a processor instead. Default: on with `exporter` or `processors`, else off.
   */
  readonly recent?: RecentTracesOptions | false | undefined;
}

/**
 * @throws OtelError for options that are wrong or exclude each other.
 */
export function checkTracingOptions(options: TracingModuleOptions): void {
  const mistakes = new Mistakes();
  const isKept = typeof options.recent === 'object';
  noteTracingMistakes(options, mistakes, isKept);
  if (options.http) readHttpTracing(options.http, 'http', mistakes);
  if (options.grpc) readGrpcTracing(options.grpc, 'grpc.', mistakes);
  if (options.messages) readMessageSpans(options.messages, 'messages', mistakes);
  if (options.graphql) readGraphqlSpans(options.graphql, 'graphql', mistakes);
  if (options.tracerProvider !== undefined && isKept) {
    mistakes.add(
      'recent',
      'cannot be combined with tracerProvider; give it a RecentTraces as a span processor',
    );
  }
  mistakes.throwIfAny((found) => new OtelError(found));
}
