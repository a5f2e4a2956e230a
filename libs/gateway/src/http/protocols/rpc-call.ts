import { writePart } from '@apix/contracts';
import { type Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import type { Call, CallEnd } from '@apix/calls';
import type { Answers } from '../answer.js';
import { AnnouncedRequest, type BodyRules } from '../announced-request.js';
import { failureOfOne } from '../../upstream/call-failure.js';
import { type RequestOutcome, RequestSender } from '../../upstream/request-sender.js';
import type { AnswerContent } from '../../response/response-body.js';
import type { AnswerListener, Upstream, UpstreamHead } from '../../upstream/upstream.js';
import { isWorthCompressing } from './coding.js';
import type { RpcForm, RpcRequest } from './protocol.js';
import { RpcRequestStream } from './request-stream.js';
import type { MessageRules } from './message-codec.js';
import { SingleRequest } from './single-request.js';

/** One call of any kind, from its head to its end; a caller who goes away cancels it. */
export class RpcCall implements AnswerListener, RequestOutcome {
  private call!: Call;
  private sender: RequestSender | undefined;
  private requests: RpcRequestStream | undefined;
  private headers: Metadata | undefined;
  /** The answer of a method with one answer, until the call has ended. */
  private only: Uint8Array | undefined;
  private tooMany = false;
  private isOver = false;
  /** A message is being compressed, and what comes after it has to wait. */
  private isPacking = false;
  private afterPacking: (() => void) | undefined;
  private readonly cancel = (): void => {
    this.isOver = true;
    this.stopRequests();
    this.call.cancel();
  };

  constructor(
    private readonly request: RpcRequest,
    private readonly form: RpcForm,
    private readonly answers: Answers,
    private readonly messages: MessageRules,
  ) {}

  start(upstream: Upstream, head: UpstreamHead, bodies: BodyRules): void {
    const { req, res, method } = this.request;
    const call = upstream.open(head, this);
    this.call = call;
    res.once('close', this.cancel);
    const { requests } = this.form;
    if (method.methodKind === 'unary' || method.methodKind === 'server_streaming') {
      this.sender = new RequestSender(call, this);
      const content = new SingleRequest(requests, this.messages);
      this.sender.start(new AnnouncedRequest(req, bodies, content));
    } else {
      const { framing, coding = '' } = requests;
      if (framing === 'body') throw new Error(`${method.name} takes a stream of requests`);
      const source = { req, framing, coding, budget: bodies.budget };
      this.requests = new RpcRequestStream(source, this.messages, (error) => {
        call.cancel();
        this.finish(error, undefined);
      });
      this.requests.start(call);
    }
    call.read();
  }

  onUnreadable(error: unknown): void {
    this.finish(error, undefined);
  }

  onHeaders(headers: Metadata): void {
    this.headers = headers;
    this.requests?.admit();
    // Of one answer they leave with it: a call that fails has none before its status.
    if (!this.answersMany || this.isOver) return;
    this.form.answer.begin(headers);
    setImmediate(() => this.flush());
  }

  /** Sends the headers, which usually leave with the first message, if there is none yet. */
  private flush(): void {
    if (!this.isOver && !this.request.res.writableEnded) writePart(this.request.res, '');
  }

  onMessage(message: AnswerContent): void {
    if (this.isOver) return;
    try {
      const bytes = this.messages.codec.write(message);
      if (this.answersMany) this.send(bytes, (hasRoom) => this.readNext(hasRoom));
      else if (this.only === undefined) {
        this.only = bytes;
        // Otherwise the status would wait behind a second one for as long as the deadline allows.
        this.call.read();
      } else {
        this.tooMany = true;
        this.call.cancel();
      }
    } catch (error) {
      this.call.cancel();
      this.finish(error, undefined);
    }
  }

  onEnd(end: CallEnd): void {
    const blame = this.sender?.end(end) ?? this.requests?.end(end);
    const trailers = end.status.metadata;
    if (blame !== undefined) {
      this.finish(blame.error, trailers);
      return;
    }
    const failure = this.failureIn(end);
    const { only } = this;
    if (failure !== undefined || only === undefined || this.isOver) this.finish(failure, trailers);
    else this.send(only, () => this.finish(undefined, trailers));
  }

  private get answersMany(): boolean {
    const { methodKind } = this.request.method;
    return methodKind === 'server_streaming' || methodKind === 'bidi_streaming';
  }

  private failureIn(end: CallEnd): unknown {
    const { tooMany } = this;
    const isWhole = this.answersMany || this.only !== undefined;
    if (end.status.code === GrpcStatus.OK && isWhole && !tooMany) return undefined;
    return failureOfOne(end, tooMany, this.answers.options.exposeServerErrors);
  }

  /** Asks for the next message when this one has left, so that none waits behind the end. */
  private readNext(hasRoom: boolean): void {
    if (hasRoom) this.call.read();
    else this.request.res.once('drain', () => this.call.read());
  }

  private send(bytes: Uint8Array, sent: (hasRoom: boolean) => void): void {
    const { answer } = this.form;
    const { compressor } = answer;
    if (compressor === undefined || !isWorthCompressing(bytes)) {
      this.write(bytes, false, sent);
      return;
    }
    this.isPacking = true;
    void compressor.pack(bytes).then(
      (packed) => this.packed(packed, true, sent),
      // What cannot be compressed is sent as it is.
      () => this.packed(bytes, false, sent),
    );
  }

  private packed(bytes: Uint8Array, isCompressed: boolean, sent: (hasRoom: boolean) => void): void {
    this.isPacking = false;
    if (this.isOver) return;
    this.write(bytes, isCompressed, sent);
    const next = this.afterPacking;
    this.afterPacking = undefined;
    next?.();
  }

  private write(bytes: Uint8Array, isCompressed: boolean, sent: (hasRoom: boolean) => void): void {
    const { answer } = this.form;
    let hasRoom: boolean;
    try {
      answer.begin(this.headers);
      hasRoom = answer.message(bytes, isCompressed);
    } catch (error) {
      this.call.cancel();
      this.finish(error, undefined);
      return;
    }
    sent(hasRoom);
  }

  private finish(error: unknown, trailers: Metadata | undefined): void {
    if (this.isOver) return;
    if (this.isPacking) {
      this.afterPacking ??= () => this.finish(error, trailers);
      return;
    }
    this.isOver = true;
    this.stopRequests();
    const { res } = this.request;
    res.off('close', this.cancel);
    if (res.writableEnded || res.destroyed) return;
    const { headers } = this;
    const status = error === undefined ? undefined : this.answers.statusFor(res, error);
    try {
      this.form.answer.end({ error: status, headers, trailers });
    } catch (broken) {
      // Of a protocol that is not ours; nothing can be said any more.
      this.answers.statusFor(res, broken);
      res.destroy();
    }
  }

  private stopRequests(): void {
    this.sender?.stop();
    this.requests?.stop();
  }
}
