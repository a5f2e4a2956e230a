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
import { MethodDurations, rpcHistogram } from '../metrics/durations.js';
import * as names from '../names.js';
import { CALL_SPAN, type CallSpan, spanOfCall, withEntrySpan } from '../tracing/entry-span.js';
import { diagError, endSpan } from '../tracing/guarded-tracer.js';
import {
  type Beginning,
  type IncomingTrace,
  type Tracing,
  beginningOf,
} from '../tracing/tracing.js';
import { failedAtServer, servedOutcomeOf, recordOutcome } from './call-outcome.js';
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
  readonly #durations: MethodDurations | undefined;
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
    this.#durations = histogram && new MethodDurations(histogram, attributes, failedAtServer);
  }

  onCall(call: StagedCall): void {
    try {
      this.#begin(call);
    } catch (error) {
      // What the app has given to OpenTelemetry has failed: the call is served without a trace.
      diagError(`otel: no span was begun for ${this.#name}`, error);
    }
  }

  onEnd(call: StagedCall, outcome: CallOutcome): void {
    const entry = spanOfCall(call);
    if (entry === undefined) return;
    const { span } = entry;
    if (span.isRecording()) {
      recordOutcome(span, outcome, failedAtServer);
      span.setAttributes(peerAttributes(call));
      if (call.requestId !== undefined) span.setAttribute(names.REQUEST_ID, call.requestId);
    }
    endSpan(span);
    this.#durations?.record(entry.begun, outcome.code, entry.context);
    const { requests } = this.tracing;
    if (!requests.isFollowed) return;
    requests.report(this.#name, performance.now() - entry.begun, servedOutcomeOf(outcome.code));
  }

  #begin(call: StagedCall): void {
    const begun = performance.now();
    const { tracing, incoming } = this;
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

/** The caller's address, if the connection shows it: behind a gateway, and in this process, it does not. */
function peerAttributes({ peer: { address }, forwarded }: StagedCall): Attributes {
  if (forwarded || address === '') return {};
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  if (colon < 0 || !Number.isInteger(port)) return { [names.CLIENT_ADDRESS]: address };
  return { [names.CLIENT_ADDRESS]: address.slice(0, colon), [names.CLIENT_PORT]: port };
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
