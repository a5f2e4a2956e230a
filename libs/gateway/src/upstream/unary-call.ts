import type { Message } from '@bufbuild/protobuf';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { AnswerListener, CallEnd, CallHead, Upstream, UpstreamCall } from './upstream.js';

/** How a unary call ended. */
export interface UnaryOutcome {
  readonly end: CallEnd;
  readonly headers: Metadata | undefined;
  /** The response, exactly when the status is OK. */
  readonly message: Message | undefined;
}

/**
 * Makes a call with one request and one response. Calls `done` exactly once. The returned function
 * cancels the call.
 */
export function callUnary(
  upstream: Upstream,
  head: CallHead,
  request: Message,
  done: (outcome: UnaryOutcome) => void,
): () => void {
  return new UnaryCall(done).make(upstream, head, request);
}

class UnaryCall implements AnswerListener {
  readonly #done: (outcome: UnaryOutcome) => void;
  #call!: UpstreamCall;
  #headers: Metadata | undefined;
  #message: Message | undefined;
  #tooMany = false;

  constructor(done: (outcome: UnaryOutcome) => void) {
    this.#done = done;
  }

  make(upstream: Upstream, head: CallHead, request: Message): () => void {
    const call = upstream.open(head, this);
    this.#call = call;
    call.send(request);
    call.halfClose();
    call.read();
    return () => call.cancel();
  }

  onHeaders(headers: Metadata): void {
    this.#headers = headers;
  }

  onMessage(message: Message): void {
    if (this.#message === undefined) {
      this.#message = message;
      // Otherwise the status would wait behind a second one for as long as the deadline allows.
      this.#call.read();
    } else {
      this.#tooMany = true;
      this.#call.cancel();
    }
  }

  onEnd(end: CallEnd): void {
    const headers = this.#headers;
    const message = this.#message;
    if (this.#tooMany) {
      this.#done({ end: broken(end, 'Too many responses received'), headers, message: undefined });
    } else if (end.status.code !== GrpcStatus.OK) this.#done({ end, headers, message: undefined });
    else if (message !== undefined) this.#done({ end, headers, message });
    else this.#done({ end: broken(end, 'No message received'), headers, message });
  }
}

/** A server that does not keep to the method's kind: UNIMPLEMENTED, as gRPC has it. */
function broken({ status }: CallEnd, details: string): CallEnd {
  return { status: { ...status, code: GrpcStatus.UNIMPLEMENTED, details }, fromServer: false };
}
