import {
  type CallMethod,
  Code,
  onAbort,
  parseDuration,
  thrownText,
  type CallUnderWay,
} from '@apix/contracts';
import { callUnderWay, orAborted } from '@apix/contracts/internal';
import { type WireCodec, wireCodec } from '@apix/proto/core';
import type { Message } from '@bufbuild/protobuf';
import { Metadata, status as GrpcStatus } from '@grpc/grpc-js';
import { messageOf } from './message-of.js';
import { isSentAsIs } from '../compression/uncompressed.js';
import { inheritMetadata, inheritedDeadline } from '../inherit/inherit-from.js';
import type { RequestIterable } from '../client/client-types.js';
import type { ClientChain } from '../stages/client-chain.js';
import type { OutgoingCall } from '../stages/client-stage.js';
import type { Call, CallEnd, CallListener } from '@apix/calls';
import { type AnswerTaker, type CallFailure, abortFailure, stageOutcome } from './call-failure.js';
import { type ClientCallOptions, refuseUnknownOptions } from './call-options.js';
import { atDeadline } from './at-deadline.js';
import type { CloseableCall } from './client-channel.js';
import { putHeaders } from './headers.js';
import { LostAttempt, resendsBefore } from './lost-attempt.js';
import type { MethodPlan } from './method-plan.js';
import { RequestPump, type RequestTaker } from './request-pump.js';

/** One call of a client, of any kind: through its stages, over the transport, to its end. */
export class OngoingCall implements OutgoingCall, CallListener, RequestTaker, CloseableCall {
  readonly metadata: Metadata;
  readonly parent: CallUnderWay | undefined;
  deadline = Infinity;
  readonly #plan: MethodPlan;
  readonly #options: ClientCallOptions;
  readonly #taker: AnswerTaker;
  /** Released at the end; undefined if there is nothing to release. */
  #forget: (() => void)[] | undefined;
  #entered = 0;
  #call: Call | undefined;
  #pump: RequestPump | undefined;
  #answers: WireCodec | undefined;
  #controller: AbortController | undefined;
  readonly #lost: LostAttempt | undefined;
  /** Of a call that may be made again. */
  #request: Message | undefined;
  /** The receiver wants a message, and there was no attempt yet to request it from. */
  #isWanted = false;
  #hasEnded = false;
  /** Of the one request. */
  #asIs = false;
  #values: Map<symbol, unknown> | undefined;
  /** As the channel says, of the last attempt that it has made. */
  #channelResends = 0;
  readonly #chain: ClientChain;

  /** @throws OptionsError for options that there are not. */
  constructor(plan: MethodPlan, options: ClientCallOptions, taker: AnswerTaker) {
    refuseUnknownOptions(options);
    this.#plan = plan;
    this.#chain = plan.chain;
    this.#options = options;
    this.#taker = taker;
    const { inherit = true, waitForReady } = options;
    this.metadata = new Metadata({ waitForReady: waitForReady ?? plan.waitForReady });
    if (plan.lost !== undefined) this.#lost = new LostAttempt(plan.lost);
    this.parent = inherit ? callUnderWay() : undefined;
  }

  get method(): CallMethod {
    return this.#plan.method;
  }

  get target(): string {
    return this.#plan.channel.target;
  }

  get values(): Map<symbol, unknown> {
    return (this.#values ??= new Map());
  }

  get resends(): number {
    return this.#channelResends + (this.#lost?.resends ?? 0);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#hasEnded) this.#controller.abort();
    return this.#controller.signal;
  }

  /** Makes the call. `request` is the one request, or the iterable of them where there is a stream. */
  begin(request: unknown): void {
    this.#plan.channel.begin(this);
    this.#asIs = this.#isAsIs(request);
    try {
      const message = this.#prepare(request);
      if (this.#hasEnded) return;
      const wait = this.#enterStages();
      if (wait === undefined) this.#open(message);
      else void this.#openAfter(wait, message);
    } catch (error) {
      this.#end({ by: 'thrown', error });
    }
  }

  read(): void {
    if (this.#call === undefined) this.#isWanted = true;
    else this.#call.read();
  }

  cancel(failure: CallFailure): void {
    if (this.#hasEnded) return;
    this.#call?.cancel();
    this.#end(failure);
  }

  close(): void {
    this.#cancelOwn(Code.CANCELLED, 'the client was closed while the call was under way');
  }

  send(request: unknown, taken: () => void): void {
    const message = this.#messageOf(request);
    if (message !== undefined) this.#call!.send(message, { taken, asIs: this.#isAsIs(request) });
  }

  halfClose(): void {
    this.#call!.halfClose();
  }

  fail(error: unknown): void {
    this.cancel({ by: 'thrown', error });
  }

  onHeaders(headers: Metadata): void {
    this.#channelResends = resendsBefore(headers);
    if (this.#lost === undefined) this.#tellHeaders(headers);
    else this.#lost.headers = headers;
  }

  onMessage(given: Message | Uint8Array): void {
    if (this.#hasEnded) return;
    let message: Message;
    try {
      this.#answers ??= wireCodec(this.#plan.desc.output);
      message = given instanceof Uint8Array ? this.#answers.decode(given) : given;
    } catch (error) {
      this.#cancelOwn(Code.INTERNAL, `the answer cannot be read: ${thrownText(error)}`, error);
      return;
    }
    this.#taker.onMessage(message);
  }

  onEnd(end: CallEnd): void {
    if (this.#hasEnded) return;
    this.#channelResends = Math.max(this.#channelResends, resendsBefore(end.status.metadata));
    if (this.#lost !== undefined) {
      if (this.#lost.mayRepeat(end)) {
        this.#taker.onLost?.();
        this.#isWanted = true;
        this.#open(this.#request);
        return;
      }
      const { headers } = this.#lost;
      if (headers !== undefined) this.#tellHeaders(headers);
    }
    this.#notify(this.#options.onTrailers, end.status.metadata);
    this.#end(end.status.code === GrpcStatus.OK ? undefined : { by: 'status', end });
  }

  /** The one request, if there is one. Ends the call if it is useless to make it. */
  #prepare(request: unknown): Message | undefined {
    const { desc, channel, timeoutMs } = this.#plan;
    const { signal, timeout, headers } = this.#options;
    if (channel.isClosing) {
      this.#cancelOwn(Code.UNAVAILABLE, 'the client is closed');
      return undefined;
    }
    const ms = timeout === undefined ? timeoutMs : parseDuration(timeout);
    this.deadline = Date.now() + ms;
    this.#inherit();
    if (headers !== undefined) putHeaders(this.metadata, headers);
    const isSingle = desc.methodKind === 'unary' || desc.methodKind === 'server_streaming';
    const message = isSingle ? this.#messageOf(request) : undefined;
    if (!isSingle) this.#pump = new RequestPump(request as RequestIterable<unknown>, this);
    if (signal !== undefined) this.#follow(signal);
    return message;
  }

  #inherit(): void {
    const { inherit } = this.#plan;
    if (this.parent === undefined || inherit === undefined) return;
    this.deadline = Math.min(this.deadline, inheritedDeadline(this.parent, inherit));
    inheritMetadata(this.parent, inherit, this.metadata);
    if (inherit.cancellation) this.#follow(this.parent.signal);
  }

  #follow(signal: AbortSignal): void {
    const forget = onAbort(signal, (reason) => this.cancel(abortFailure(reason)));
    // A signal outlives its calls, and would keep each of them.
    (this.#forget ??= []).push(forget);
  }

  /** @returns a promise, if a stage has to wait. */
  #enterStages(): Promise<void> | undefined {
    const chain = this.#chain;
    while (this.#entered < chain.length) {
      const wait = chain.enter(this.#entered, this);
      if (wait !== undefined) return wait;
      this.#entered += 1;
    }
    return undefined;
  }

  async #openAfter(first: Promise<void>, message: Message | undefined): Promise<void> {
    // Until the transport does it.
    const unwatch = atDeadline(this.deadline, () =>
      this.#cancelOwn(Code.DEADLINE_EXCEEDED, 'the deadline passed before the call was made'),
    );
    (this.#forget ??= []).push(unwatch);
    try {
      for (let wait: Promise<void> | undefined = first; wait !== undefined;) {
        await orAborted(wait, this.signal);
        this.#entered += 1;
        wait = this.#enterStages();
      }
      unwatch();
      if (!this.#hasEnded) this.#open(message);
    } catch (error) {
      this.#end({ by: 'thrown', error });
    }
  }

  #open(message: Message | undefined): void {
    const { desc, method, channel } = this.#plan;
    const { deadline } = this;
    // The transport may add to it.
    const metadata = this.#lost === undefined ? this.metadata : this.metadata.clone();
    if (this.#lost !== undefined) this.#request = message;
    if (deadline <= Date.now()) {
      this.#cancelOwn(Code.DEADLINE_EXCEEDED, 'there was no time left to make the call');
      return;
    }
    const call = channel.open({ method: desc, path: method.fullName, metadata, deadline }, this);
    this.#call = call;
    if (message === undefined) this.#pump!.start();
    else {
      call.send(message, { asIs: this.#asIs });
      call.halfClose();
    }
    if (this.#isWanted) call.read();
  }

  #messageOf(request: unknown): Message | undefined {
    try {
      return messageOf(this.#plan.desc.input, request);
    } catch (error) {
      this.#cancelOwn(Code.INTERNAL, `the request cannot be sent: ${thrownText(error)}`, error);
      return undefined;
    }
  }

  #tellHeaders(headers: Metadata): void {
    this.#chain.respond(this);
    this.#notify(this.#options.onHeaders, headers);
  }

  /** Checked on the value that the caller gave, which may differ from the message created from it. */
  #isAsIs(request: unknown): boolean {
    return this.#options.compress === false || isSentAsIs(request);
  }

  #notify(listener: ((metadata: Metadata) => void) | undefined, metadata: Metadata): void {
    if (listener === undefined || this.#hasEnded) return;
    try {
      listener(metadata);
    } catch (error) {
      // Thrown on, it would end the process: grpc-js does not catch it.
      this.fail(error);
    }
  }

  #cancelOwn(code: Code, why: string, cause?: unknown): void {
    this.cancel({ by: 'client', code, why, ...(cause !== undefined && { cause }) });
  }

  #end(failure: CallFailure | undefined): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#forget !== undefined) for (const forget of this.#forget) forget();
    this.#pump?.stop();
    this.#controller?.abort();
    const chain = this.#chain;
    this.#plan.channel.end(this);
    if (chain.length > 0) chain.leave(this.#entered, this, stageOutcome(failure));
    this.#taker.onEnd(failure);
  }
}
