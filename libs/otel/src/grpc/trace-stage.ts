import {
  type BoundCallStage,
  CALL_STAGE,
  type CallMethod,
  type CallOutcome,
  type CallStage,
  type StagedCall,
} from '@apix/contracts';
import {
  type Attributes,
  type Context,
  context,
  isSpanContextValid,
  SpanKind,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { type MethodDurations, RpcDurations } from '../metrics/durations.js';
import {
  CLIENT_ADDRESS,
  CLIENT_PORT,
  GRPC_SYSTEM,
  REQUEST_ID,
  RPC_METHOD,
  RPC_SYSTEM_NAME,
} from '../names.js';
import { withEntrySpan } from '../tracing/entry-span.js';
import { endSpan, tellDiag } from '../tracing/guarded-tracer.js';
import {
  type Beginning,
  beginningOf,
  type IncomingTrace,
  type Tracing,
} from '../tracing/tracing.js';
import {
  type CallSpan,
  failedAtServer,
  keepSpan,
  metadataGetter,
  recordOutcome,
  spanOfCall,
} from './call-span.js';
import {
  type GrpcTracingInit,
  type GrpcTracingSettings,
  grpcTracingSettings,
} from './grpc-tracing-options.js';

const activeContext = (): Context => context.active();

/**
 * The context in which the span of a call begins: if the call is made in this process, the one that is
 * active there.
 */
function beginningOfCall(tracing: Tracing, incoming: IncomingTrace, call: StagedCall): Beginning {
  const local = call.inCallersContext?.(activeContext);
  return local !== undefined && trace.getSpanContext(local) !== undefined
    ? { context: local }
    : beginningOf(tracing, incoming, call.metadata, metadataGetter);
}

/** The caller's address, if the connection shows it: behind a gateway, and in this process, it does not. */
function peerAttributes({ peer: { address }, forwarded }: StagedCall): Attributes {
  if (forwarded || address === '') return {};
  const colon = address.lastIndexOf(':');
  const port = Number(address.slice(colon + 1));
  if (colon < 0 || !Number.isInteger(port)) return { [CLIENT_ADDRESS]: address };
  return { [CLIENT_ADDRESS]: address.slice(0, colon), [CLIENT_PORT]: port };
}

/** The server spans of one method. */
class BoundTraceStage implements BoundCallStage {
  readonly #name: string;
  readonly #options: SpanOptions;
  readonly #durations: MethodDurations;

  constructor(
    private readonly tracing: Tracing,
    private readonly incoming: IncomingTrace,
    durations: RpcDurations,
    { fullName }: CallMethod,
  ) {
    this.#name = fullName.slice(1);
    const attributes = { [RPC_SYSTEM_NAME]: GRPC_SYSTEM, [RPC_METHOD]: this.#name };
    this.#options = { kind: SpanKind.SERVER, attributes };
    this.#durations = durations.of(attributes, failedAtServer);
  }

  onCall(call: StagedCall): void {
    try {
      const begun = this.#begin(call);
      keepSpan(call, begun);
      const ids = begun.span.spanContext();
      if (isSpanContextValid(ids)) call.trace = ids;
    } catch (error) {
      // The app's own sampler or processor has failed: the call is served without a trace.
      tellDiag(`otel: no span was begun for ${this.#name}`, error);
    }
  }

  withinStages(call: StagedCall, run: () => void): void {
    this.within(call, run);
  }

  within(call: StagedCall, run: () => void): void {
    const begun = spanOfCall(call);
    if (begun === undefined) run();
    else context.with(begun.context, run);
  }

  onEnd(call: StagedCall, outcome: CallOutcome): void {
    const begun = spanOfCall(call);
    if (begun === undefined) return;
    const { span } = begun;
    if (span.isRecording()) {
      recordOutcome(span, outcome, failedAtServer);
      span.setAttributes(peerAttributes(call));
      if (call.requestId !== undefined) span.setAttribute(REQUEST_ID, call.requestId);
    }
    endSpan(span);
    this.#durations.record(begun.begun, outcome.code, begun.context);
  }

  #begin(call: StagedCall): CallSpan {
    const begun = this.#durations.begin();
    const { tracing, incoming } = this;
    const { context: outer, links } = beginningOfCall(tracing, incoming, call);
    const options = links === undefined ? this.#options : { ...this.#options, links };
    const span = tracing.tracer.startSpan(this.#name, options, outer);
    return { span, context: withEntrySpan(outer, { span }), begun };
  }
}

/**
 * Gives each gRPC call that comes in a span, active in the stages after it and in the handler, and measures it as
 * `rpc.server.call.duration`: calls from the network, in-process and of the gateway.
 */
export class TraceStage implements CallStage {
  readonly [CALL_STAGE] = true as const;
  readonly name = 'trace';
  readonly #settings: GrpcTracingSettings;
  readonly #durations: RpcDurations;

  /** @throws OtelError with every wrong option. */
  constructor(
    private readonly tracing: Tracing,
    init: GrpcTracingInit = {},
  ) {
    this.#settings = grpcTracingSettings(init);
    this.#durations = new RpcDurations('server', init.meterProvider);
  }

  bind(method: CallMethod): BoundCallStage | null {
    const { skip, incoming } = this.#settings;
    if (skip(method)) return null;
    return new BoundTraceStage(this.tracing, incoming, this.#durations, method);
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
