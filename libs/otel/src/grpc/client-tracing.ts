import {
  type BoundOutgoingStage,
  type CallMethod,
  type CallOutcome,
  type OutboundCall,
  OUTGOING_STAGE,
  type OutgoingMetadata,
  type OutgoingStage,
} from '@apix/contracts';
import type { ReadOptions } from '@apix/contracts/internal';
import {
  type Attributes,
  context,
  type Histogram,
  propagation,
  SpanKind,
  type SpanOptions,
  type TextMapSetter,
  trace,
} from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { rpcHistogram } from '../metrics/durations.js';
import * as names from '../names.js';
import { diagError } from '../tracing/guarded-tracer.js';
import type { Tracing } from '../tracing/tracing.js';
import { CALL_SPAN, type CallSpan, spanOfCall } from '../tracing/entry-span.js';
import { CallEnds, failedAtClient } from './call-outcome.js';
import { GRPC_TRACING_INIT, type GrpcTracingInit } from './grpc-tracing-options.js';

/**
 * Gives each outgoing gRPC call over a network a span, passes the span's context to the server, and
 * measures the call as `rpc.client.call.duration`.
 */
export class ClientTracing implements OutgoingStage {
  readonly [OUTGOING_STAGE] = true as const;
  readonly name = 'trace';
  readonly #settings: ReadOptions<typeof GRPC_TRACING_INIT>;
  readonly #histogram: Histogram | undefined;

  /** @throws OtelError with every wrong option. */
  constructor(
    private readonly tracing: Tracing,
    init: GrpcTracingInit = {},
  ) {
    this.#settings = otelOptions(GRPC_TRACING_INIT, init);
    this.#histogram = rpcHistogram('client', init.meterProvider);
  }

  bind(method: CallMethod): BoundOutgoingStage | null {
    if (this.#settings.skip(method)) return null;
    return new BoundClientTracing(this.tracing, this.#histogram, method);
  }
}

/**
 * The stage that traces the calls of a client, for the option `stages` of `createClient` of `@apix/grpc-client`
 * and of `networkUpstream` of `@apix/gateway/core`, where there is no `TracingModule`. Put it first.
 *
 * @throws OtelError with every wrong option.
 */
export function clientTracing(tracing: Tracing, init?: GrpcTracingInit): OutgoingStage {
  return new ClientTracing(tracing, init);
}

/** The target of calls that stay in this process; the span of their server says it all. */
const IN_PROCESS = 'in-process';

/** The values shared by all calls of a method to one server. */
interface Destination {
  readonly options: SpanOptions;
  readonly ends: CallEnds;
}

/** The client spans of one method. */
class BoundClientTracing implements BoundOutgoingStage {
  readonly #name: string;
  /** By target: as many as the app has endpoints. */
  readonly #destinations = new Map<string, Destination>();

  constructor(
    private readonly tracing: Tracing,
    private readonly histogram: Histogram | undefined,
    { fullName }: CallMethod,
  ) {
    this.#name = fullName.slice(1);
  }

  onCall(call: OutboundCall): void {
    // Why: docs/decisions/0284
    if (call.target === IN_PROCESS) return;
    const { target, values, metadata } = call;
    const begun = performance.now();
    try {
      const outer = context.active();
      const { options } = this.#destination(target);
      const span = this.tracing.tracer.startSpan(this.#name, options, outer);
      const inner = trace.setSpan(outer, span);
      values.set(CALL_SPAN, { span, context: inner, begun } satisfies CallSpan);
      // The context that a client has taken over from the call under way belongs to the span above this one.
      for (const key of propagation.fields()) metadata.remove(key);
      this.tracing.send(inner, metadata, METADATA);
    } catch (error) {
      // What the app has given to OpenTelemetry has failed: the call is made all the same.
      diagError(`otel: no span was begun for ${this.#name}`, error);
    }
  }

  onEnd(call: OutboundCall, outcome: CallOutcome): void {
    if (call.target === IN_PROCESS) return;
    const entry = spanOfCall(call);
    if (entry === undefined) return;
    if (call.resends > 0) entry.span.setAttribute(names.RESEND_COUNT, call.resends);
    this.#destination(call.target).ends.end(entry, outcome);
  }

  #destination(target: string): Destination {
    let known = this.#destinations.get(target);
    if (known === undefined) {
      const attributes: Attributes = {
        [names.RPC_SYSTEM_NAME]: names.GRPC_SYSTEM,
        [names.RPC_METHOD]: this.#name,
        ...serverAttributes(target),
      };
      known = {
        options: { kind: SpanKind.CLIENT, attributes },
        ends: new CallEnds(this.histogram, attributes, failedAtClient),
      };
      this.#destinations.set(target, known);
    }
    return known;
  }
}

/** Replaces the values that are there. */
const METADATA: TextMapSetter<OutgoingMetadata> = {
  set: (metadata, key, value) => metadata.set(key, value),
};

/** Which server a target of grpc-js means (gRPC Name Resolution): its host and port, or its path. */
export function serverAttributes(target: string): Attributes {
  const name = target.replace(/^[a-z][a-z\d+.-]*:(?!\d+$)(?:\/\/[^/]*\/)?/i, '');
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:,]+)):(\d{1,5})$/.exec(name) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return { [names.SERVER_ADDRESS]: name };
  return { [names.SERVER_ADDRESS]: host, [names.SERVER_PORT]: Number(port) };
}
