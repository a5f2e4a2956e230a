import {
  type BoundCallStage,
  CALL_STAGE,
  type CallMetadata,
  type CallMethod,
  type CallOutcome,
  type CallStage,
  type StagedCall,
} from '@apix/contracts';
import type { ReadOptions } from '@apix/contracts/internal';
import {
  type Attributes,
  type Context,
  type Histogram,
  type SpanOptions,
  SpanKind,
  type TextMapGetter,
  context,
  isSpanContextValid,
  trace,
} from '@opentelemetry/api';
import { otelOptions } from '../errors.js';
import { rpcHistogram } from '../metrics/durations.js';
import * as names from '../names.js';
import { CALL_SPAN, type CallSpan, spanOfCall, withEntrySpan } from '../tracing/entry-span.js';
import { diagError } from '../tracing/guarded-tracer.js';
import {
  type Beginning,
  type IncomingTrace,
  type Tracing,
  beginningOf,
} from '../tracing/tracing.js';
import { CallEnds, failedAtServer, servedOutcomeOf } from './call-outcome.js';
import { GRPC_TRACING_INIT, type GrpcTracingInit } from './grpc-tracing-options.js';

/**
 * Gives each gRPC call that comes in a span, active in the stages after it and in the handler, and measures it as
 * `rpc.server.call.duration`: calls from the network, in-process and of the gateway.
 */
export class TraceStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'trace';
  readonly #settings: ReadOptions<typeof GRPC_TRACING_INIT>;
  readonly #histogram: Histogram | undefined;

  /** @throws OtelError with every wrong option. */
  constructor(
    private readonly tracing: Tracing,
    init: GrpcTracingInit = {},
  ) {
    this.#settings = otelOptions(GRPC_TRACING_INIT, init);
    this.#histogram = rpcHistogram('server', init.meterProvider);
  }

  bind(method: CallMethod): BoundCallStage | null {
    const { skip, incoming } = this.#settings;
    if (skip(method)) return null;
    return new BoundTraceStage(this.tracing, incoming, this.#histogram, method);
  }
}

/**
 * The call stage that traces gRPC calls, for `stageInterceptor` of `@apix/calls/grpc` where there is no
 * `TracingModule`.
 *
 * @throws OtelError with every wrong option.
 */
export function traceStage(tracing: Tracing, init?: GrpcTracingInit): CallStage {
  return new TraceStage(tracing, init);
}

/** The server spans of one method. */
class BoundTraceStage implements BoundCallStage {
  readonly #name: string;
  readonly #options: SpanOptions;
  readonly #ends: CallEnds;
  readonly withinStages = withinSpan;
  readonly within = withinSpan;

  constructor(
    private readonly tracing: Tracing,
    private readonly incoming: IncomingTrace,
    histogram: Histogram | undefined,
    { fullName }: CallMethod,
  ) {
    this.#name = fullName.slice(1);
    const attributes = {
      [names.RPC_SYSTEM_NAME]: names.GRPC_SYSTEM,
      [names.RPC_METHOD]: this.#name,
    };
    this.#options = { kind: SpanKind.SERVER, attributes };
    this.#ends = new CallEnds(histogram, attributes, failedAtServer);
  }

  onCall(call: StagedCall): void {
    const { tracing, incoming } = this;
    const begun = performance.now();
    try {
      // A call from this process continues the trace that is active there.
      const local = call.inCallersContext?.(activeContext);
      const { context: outer, links }: Beginning =
        local !== undefined && trace.getSpanContext(local) !== undefined
          ? { context: local }
          : beginningOf(tracing, incoming, call.metadata, METADATA);
      const options = links === undefined ? this.#options : { ...this.#options, links };
      const span = tracing.tracer.startSpan(this.#name, options, outer);
      const entry: CallSpan = { span, context: withEntrySpan(outer, { span }), begun };
      call.values.set(CALL_SPAN, entry);
      const ids = span.spanContext();
      if (isSpanContextValid(ids)) call.trace = ids;
    } catch (error) {
      // What the app has given to OpenTelemetry has failed: the call is served without a trace.
      diagError(`otel: no span was begun for ${this.#name}`, error);
    }
  }

  onEnd(call: StagedCall, outcome: CallOutcome): void {
    const entry = spanOfCall(call);
    if (entry === undefined) return;
    if (entry.span.isRecording()) entry.span.setAttributes(callerAttributes(call));
    const ms = this.#ends.end(entry, outcome);
    this.tracing.requests.report(this.#name, ms, servedOutcomeOf(outcome.code));
  }
}

function withinSpan(call: StagedCall, run: () => void): void {
  const entry = spanOfCall(call);
  if (entry === undefined) run();
  else context.with(entry.context, run);
}

function activeContext(): Context {
  return context.active();
}

/**
 * The request's id, and the caller's address if the connection shows it: behind a gateway, and in this process, it
 * does not.
 */
function callerAttributes({ peer: { address }, forwarded, requestId }: StagedCall): Attributes {
  const attributes: Attributes = {};
  if (requestId !== undefined) attributes[names.REQUEST_ID] = requestId;
  if (forwarded || address === '') return attributes;
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  const hasPort = colon >= 0 && Number.isInteger(port);
  attributes[names.CLIENT_ADDRESS] = hasPort ? address.slice(0, colon) : address;
  if (hasPort) attributes[names.CLIENT_PORT] = port;
  return attributes;
}

/** Keys that may be sent in several parts (W3C Trace Context, W3C Baggage). */
const LISTS: ReadonlySet<string> = new Set(['tracestate', 'baggage']);

/** A key with several values is ignored, unless it is a list (W3C Trace Context §3.2.2.1). */
const METADATA: TextMapGetter<CallMetadata> = {
  get(metadata, key) {
    const values = metadata.get(key);
    if (values.length <= 1) return values[0];
    return LISTS.has(key) ? values.join(',') : undefined;
  },
  keys: (metadata) => [...metadata.keys()],
};
