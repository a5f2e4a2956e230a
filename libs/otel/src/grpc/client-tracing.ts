import {
  type BoundOutgoingStage,
  type CallMethod,
  type CallOutcome,
  type OutboundCall,
  OUTGOING_STAGE,
  type OutgoingStage,
} from '@apix/contracts';
import {
  type Attributes,
  context,
  propagation,
  SpanKind,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { type MethodDurations, RpcDurations } from '../metrics/durations.js';
import {
  GRPC_SYSTEM,
  RESEND_COUNT,
  RPC_METHOD,
  RPC_SYSTEM_NAME,
  SERVER_ADDRESS,
  SERVER_PORT,
} from '../names.js';
import { endSpan, tellDiag } from '../tracing/guarded-tracer.js';
import type { Tracing } from '../tracing/tracing.js';
import {
  failedAtClient,
  keepSpan,
  metadataSetter,
  recordOutcome,
  spanOfCall,
} from './call-span.js';
import {
  type GrpcTracingInit,
  type GrpcTracingSettings,
  grpcTracingSettings,
} from './grpc-tracing-options.js';

/** Which server a target of grpc-js means (gRPC Name Resolution): its host and port, or its path. */
export function serverAttributes(target: string): Attributes {
  const name = target.replace(/^[a-z][a-z\d+.-]*:(?!\d+$)(?:\/\/[^/]*\/)?/i, '');
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:,]+)):(\d{1,5})$/.exec(name) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return { [SERVER_ADDRESS]: name };
  return { [SERVER_ADDRESS]: host, [SERVER_PORT]: Number(port) };
}

/** The target of calls that stay in this process; the span of their server says it all. */
const IN_PROCESS = 'in-process';

/** The values shared by all calls of a method to one server. */
interface Destination {
  readonly options: SpanOptions;
  readonly durations: MethodDurations;
}

/** The client spans of one method. */
class BoundClientTracing implements BoundOutgoingStage {
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
    // Why: docs/decisions/0285
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

/**
 * Gives each outgoing gRPC call over a network a span, passes the span's context to the server, and
 * measures the call as `rpc.client.call.duration`.
 */
export class ClientTracing implements OutgoingStage {
  readonly [OUTGOING_STAGE] = true as const;
  readonly name = 'trace';
  readonly #settings: GrpcTracingSettings;
  readonly #durations: RpcDurations;

  /** @throws OtelError with every wrong option. */
  constructor(
    private readonly tracing: Tracing,
    init: GrpcTracingInit = {},
  ) {
    this.#settings = grpcTracingSettings(init);
    this.#durations = new RpcDurations('client', init.meterProvider);
  }

  bind(method: CallMethod): BoundOutgoingStage | null {
    if (this.#settings.skip(method)) return null;
    return new BoundClientTracing(this.tracing, this.#durations, method);
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
