import {
  type BoundOutgoingStage,
  type CallOutcome,
  Code,
  type OutboundCall,
  type OutgoingStage,
  isCode,
} from '@apix/contracts';
import type { CallTransport } from '@apix/grpc-client/transport';
import type { MessageOrWire, Call, CallEnd, CallHead, CallListener } from '@apix/calls';
import { callMethodOf } from '@apix/proto/core';
import type { Metadata } from '@grpc/grpc-js';
import { PassingTransport } from './passing-transport.js';

/** The statuses of a call whose caller has cancelled it or set its deadline. */
const GIVEN_UP = new Set<Code>([Code.CANCELLED, Code.DEADLINE_EXCEEDED]);

/** Makes every call over a network pass the stages of the app. */
export class StagedCalls extends PassingTransport {
  readonly #stages: readonly OutgoingStage[];
  /** By path: as many as there are methods. */
  readonly #bound = new Map<string, readonly BoundOutgoingStage[]>();

  constructor(transport: CallTransport, stages: readonly OutgoingStage[]) {
    super(transport);
    this.#stages = stages;
  }

  override open<Written extends object = never>(
    head: CallHead<Written>,
    listener: CallListener<Written>,
  ): Call {
    const stages = this.#stagesOf(head);
    if (stages.length === 0) return this.transport.open(head, listener);
    const call = new StagedCallListener(this.target, head.metadata, stages, listener);
    call.begin();
    return this.transport.open(head, call);
  }

  #stagesOf({ method, path }: Pick<CallHead, 'method' | 'path'>): readonly BoundOutgoingStage[] {
    let bound = this.#bound.get(path);
    if (bound === undefined) {
      bound = this.#stages.flatMap((stage) => stage.bind(callMethodOf(method)) ?? []);
      this.#bound.set(path, bound);
    }
    return bound;
  }
}

/** An outgoing call, and the listeners that get its answer before the gateway does. */
class StagedCallListener<Written extends object> implements OutboundCall, CallListener<Written> {
  /** The gateway makes each call once. */
  readonly resends = 0;
  #values: Map<symbol, unknown> | undefined;

  constructor(
    readonly target: string,
    readonly metadata: Metadata,
    private readonly stages: readonly BoundOutgoingStage[],
    private readonly listener: CallListener<Written>,
  ) {}

  get values(): Map<symbol, unknown> {
    return (this.#values ??= new Map());
  }

  begin(): void {
    for (const stage of this.stages) stage.onCall(this);
  }

  onHeaders(headers: Metadata): void {
    this.listener.onHeaders(headers);
  }

  onMessage(message: MessageOrWire | Written): void {
    this.listener.onMessage(message);
  }

  onEnd(end: CallEnd): void {
    const outcome = outcomeOf(end);
    for (const stage of this.stages.toReversed()) {
      try {
        stage.onEnd(this, outcome);
      } catch {
        // The others, and the caller, still have to be notified.
      }
    }
    this.listener.onEnd(end);
  }
}

function outcomeOf({ status, fromServer }: CallEnd): CallOutcome {
  // Every number that gRPC does not have is UNKNOWN (statuscodes.md).
  const code: Code = isCode(status.code) ? status.code : Code.UNKNOWN;
  // A lost connection is not from the server either.
  const cancelled = !fromServer && GIVEN_UP.has(code);
  return { code, message: status.details, cancelled };
}
