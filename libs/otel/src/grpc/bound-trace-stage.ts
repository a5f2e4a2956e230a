import type { BoundCallStage, CallMethod, CallOutcome, StagedCall } from '@apix/contracts';
import { type SpanOptions, SpanKind, context, isSpanContextValid } from '@opentelemetry/api';
import type { MethodDurations, RpcDurations } from '../metrics/rpc-metrics.js';
import { REQUEST_ID } from '../tracing/span-attributes.js';
import { withEntrySpan } from '../tracing/entry-span.js';
import type { IncomingTrace, Tracing } from '../tracing/tracing.js';
import { failedAtServer, recordOutcome } from './call-failures.js';
import { type CallSpan, keepSpan, spanOfCall } from './call-span.js';
import { beginningOfCall } from './calling-context.js';
import { peerAttributes } from './peer-attributes.js';
import { GRPC_SYSTEM, RPC_METHOD, RPC_SYSTEM_NAME } from '../tracing/rpc-attributes.js';
import { endSpan } from '../tracing/guarded-tracer.js';
import { tellDiag } from '../tracing/tell-diag.js';

/** The server spans of one method. */
export class BoundTraceStage implements BoundCallStage {
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
