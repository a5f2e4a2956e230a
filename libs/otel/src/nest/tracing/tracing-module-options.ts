import { type OptionTable, orFalse, section } from '@apix/contracts/internal';
import type { MeterProvider } from '@opentelemetry/api';
import { otelOptions } from '../../errors.js';
import { GRAPHQL_SPANS_OPTIONS, type GraphqlSpansOptions } from '../../graphql/operation-spans.js';
import { GRPC_TRACING_OPTIONS, type GrpcTracingOptions } from '../../grpc/grpc-tracing-options.js';
import { HTTP_TRACING_OPTIONS, type HttpTracingOptions } from '../../http/http-tracing-options.js';
import { MESSAGE_SPANS_OPTIONS, type MessageSpansOptions } from '../../messages/message-spans.js';
import { RECENT_TRACES_OPTIONS, type RecentTracesOptions } from '../../recent/recent-traces.js';
import { METER_PROVIDER } from '../../tracing/option-kinds.js';
import {
  noteCombinations,
  type OpenTracingOptions,
  TRACING_OPTIONS_TABLE,
} from '../../tracing/tracing-options.js';

/**
 * With an `exporter`, `processors` or the options of `recent` tracing is set up; else it is on the app's own.
 * Nest's logger warns by default.
 */
export interface TracingModuleOptions extends OpenTracingOptions {
  /** Where durations are recorded; its owner shuts it down. Default: that of MetricsModule, else the global one. */
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

const TRACING_MODULE_OPTIONS = {
  ...TRACING_OPTIONS_TABLE,
  meterProvider: METER_PROVIDER,
  graphql: orFalse(section(GRAPHQL_SPANS_OPTIONS)),
  messages: orFalse(section(MESSAGE_SPANS_OPTIONS)),
  http: orFalse(section(HTTP_TRACING_OPTIONS)),
  grpc: orFalse(section(GRPC_TRACING_OPTIONS)),
  recent: orFalse(section(RECENT_TRACES_OPTIONS)),
} satisfies OptionTable<TracingModuleOptions>;

/**
 * @throws OtelError for options that are wrong or exclude each other.
 */
export function checkTracingOptions(options: TracingModuleOptions): void {
  otelOptions(TRACING_MODULE_OPTIONS, options, (_, mistakes) => {
    const isKept = typeof options.recent === 'object';
    noteCombinations(options, mistakes, isKept);
    if (options.tracerProvider === undefined || !isKept) return;
    mistakes.add(
      'recent',
      'cannot be combined with tracerProvider; give it a RecentTraces as a span processor',
    );
  });
}
