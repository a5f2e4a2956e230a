import type { Call, CallEnd } from '@apix/calls';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import { type RequestOutcome, RequestSender } from './request-sender.js';
import type { RequestSource } from './request-source.js';
import type { AnswerContent, AnswerListener, UpstreamHead, Upstream } from './upstream.js';

/** How a unary call ended: with an answer, or without a request. */
export type UnaryOutcome = UnaryAnswer | { readonly unreadable: unknown };

export interface UnaryAnswer {
  readonly end: CallEnd;
  readonly headers: Metadata | undefined;
  /** The response, exactly when the status is OK. */
  readonly message: AnswerContent | undefined;
}

/**
 * Makes a call with one request and one response. Calls `done` exactly once. The returned function
 * cancels the call.
 */
export function callUnary(
  upstream: Upstream,
  head: UpstreamHead,
  request: RequestSource,
  done: (outcome: UnaryOutcome) => void,
): () => void {
  return new UnaryCall(done).make(upstream, head, request);
}

class UnaryCall implements AnswerListener, RequestOutcome {
  readonly #done: (outcome: UnaryOutcome) => void;
  #call!: Call;
  #sender: RequestSender | undefined;
  #headers: Metadata | undefined;
  #message: AnswerContent | undefined;
  #tooMany = false;
  #hasEnded = false;

  constructor(done: (outcome: UnaryOutcome) => void) {
    this.#done = done;
  }

  make(upstream: Upstream, head: UpstreamHead, request: RequestSource): () => void {
    const call = upstream.open(head, this);
    this.#call = call;
    if (request.message === undefined) {
      this.#sender = new RequestSender(call, this);
      this.#sender.start(request);
    } else {
      call.send(request.message, { textBytes: request.textBytes });
      call.halfClose();
    }
    call.read();
    return () => {
      this.#sender?.stop();
      call.cancel();
    };
  }

  onUnreadable(error: unknown): void {
    this.#end({ unreadable: error });
  }

  onHeaders(headers: Metadata): void {
    this.#headers = headers;
  }

  onMessage(message: AnswerContent): void {
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
    const blame = this.#sender?.end(end);
    if (blame === undefined) this.#end(this.#answer(end));
    else this.#end({ unreadable: blame.error });
  }

  #answer(end: CallEnd): UnaryAnswer {
    const headers = this.#headers;
    const message = this.#message;
    if (this.#tooMany) {
      return { end: broken(end, 'Too many responses received'), headers, message: undefined };
    }
    if (end.status.code !== GrpcStatus.OK) return { end, headers, message: undefined };
    if (message !== undefined) return { end, headers, message };
    return { end: broken(end, 'No message received'), headers, message };
  }

  /** Reports once: a call that was abandoned still ends as CANCELLED afterwards. */
  #end(outcome: UnaryOutcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#done(outcome);
  }
}

/** A server that does not keep to the method's kind: UNIMPLEMENTED, as gRPC has it. */
function broken({ status }: CallEnd, details: string): CallEnd {
  return { status: { ...status, code: GrpcStatus.UNIMPLEMENTED, details }, fromServer: false };
}
