import type { BoundOutgoingStage, CallMethod, CallOutcome, OutboundCall } from '@apix/contracts';
import {
  type Attributes,
  type SpanOptions,
  SpanKind,
  context,
  propagation,
  trace,
} from '@opentelemetry/api';
import type { MethodDurations, RpcDurations } from '../metrics/rpc-metrics.js';
import type { Tracing } from '../tracing/tracing.js';
import { failedAtClient, recordOutcome } from './call-failures.js';
import { keepSpan, spanOfCall } from './call-span.js';
import { metadataSetter } from './metadata-carrier.js';
import {
  GRPC_SYSTEM,
  RESEND_COUNT,
  RPC_METHOD,
  RPC_SYSTEM_NAME,
} from '../tracing/rpc-attributes.js';
import { serverAttributes } from './server-target.js';
import { endSpan } from '../tracing/guarded-tracer.js';
import { tellDiag } from '../tracing/tell-diag.js';

/** The target of calls that stay in this process; the span of their server says it all. */
const IN_PROCESS = 'in-process';

/** The values shared by all calls of a method to one server. */
interface Destination {
  readonly options: SpanOptions;
  readonly durations: MethodDurations;
}

/** The client spans of one method. */
export class BoundClientTracing implements BoundOutgoingStage {
  readonly #name: string;
  /** By target: as many as the app has endpoints. */
  readonly #destinations = new Map<string, Destination>();

  constructor(
    private readonly tracing: Tracing,
    private readonly durations: RpcDurations,
    { fullName }: CallMethod,
  ) {
    this.#name = fullName.slice(1);
  }

  onCall(call: OutboundCall): void {
    // Why: docs/decisions/0284
    if (call.target === IN_PROCESS) return;
    try {
      this.#begin(call);
    } catch (error) {
      // A sampler, processor or propagator of the app's own: the call is made all the same.
      tellDiag(`otel: no span was begun for ${this.#name}`, error);
    }
  }

  onEnd(call: OutboundCall, outcome: CallOutcome): void {
    if (call.target === IN_PROCESS) return;
    const begun = spanOfCall(call);
    if (begun === undefined) return;
    const { span } = begun;
    if (span.isRecording()) {
      recordOutcome(span, outcome, failedAtClient);
      if (call.resends > 0) span.setAttribute(RESEND_COUNT, call.resends);
    }
    endSpan(span);
    this.#to(call.target).durations.record(begun.begun, outcome.code, begun.context);
  }

  #begin(call: OutboundCall): void {
    const { options, durations } = this.#to(call.target);
    const begun = durations.begin();
    const { tracing } = this;
    const outer = context.active();
    const span = tracing.tracer.startSpan(this.#name, options, outer);
    const within = trace.setSpan(outer, span);
    keepSpan(call, { span, context: within, begun });
    // The context that a client has taken over from the call under way belongs to the span above this one.
    for (const key of propagation.fields()) call.metadata.remove(key);
    tracing.send(within, call.metadata, metadataSetter);
  }

  #to(target: string): Destination {
    let known = this.#destinations.get(target);
    if (known === undefined) {
      const attributes: Attributes = {
        [RPC_SYSTEM_NAME]: GRPC_SYSTEM,
        [RPC_METHOD]: this.#name,
        ...serverAttributes(target),
      };
      known = {
        options: { kind: SpanKind.CLIENT, attributes },
        durations: this.durations.of(attributes, failedAtClient),
      };
      this.#destinations.set(target, known);
    }
    return known;
  }
}
