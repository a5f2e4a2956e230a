import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import { Metadata, status as codes } from '../npm-install/@grpc/grpc-js.js';
import { Code, type CallOutcome } from '@apix/contracts';
import { isFollowingCalls } from '@apix/contracts/internal';
import { type BoundChain, reportEnd, runInStages, shownStatus } from '../stages/bound-chain.js';
import { CallAround } from './call-around.js';
import { type StagedCarrier, StagedGrpcCall } from './staged-grpc-call.js';
import { type GrpcStatus, outcomeOfCancel, sendable, sendableStatus, statusOf } from './status.js';
import { type StatusWatcher, watchStatus } from '../patches/watch-status.js';

type Status = Parameters<ServerInterceptingCallInterface['sendStatus']>[0];
/** What grpc-js calls an InterceptingServerListener; it does not export the name. */
type ServerListener = Parameters<ServerInterceptingCallInterface['start']>[0];

/**
 * A client of grpc-js that cancels also ends its requests, and the reset comes in a packet after it. A call
 * that was cancelled before its request arrived has not failed for lack of a request.
 */
const CANCEL_SLACK_MS = 25;

/**
 * One call on its way through the stages: towards the handler it is the listener, towards the
 * caller it is the call, so that a call costs one object and no closures. It stays synchronous
 * as long as the stages do.
 *
 * Nothing may be thrown out of here: grpc-js would leave the call hanging.
 */
export class StageChain
  extends CallAround
  implements ServerListener, ServerInterceptingCallInterface, StatusWatcher
{
  readonly #bound: BoundChain;
  #listener!: ServerListener;
  #call: StagedGrpcCall | null = null;
  /** A stage has not decided yet; what arrives meanwhile waits. */
  #pending = false;
  #halfCloseWaits = false;
  #hasMessage = false;
  /** Of a call whose handler starts when its first message has passed the stages. */
  #held: Metadata | null = null;
  /** The message that a held handler started with; it gets it when it first reads. */
  #first: { readonly message: unknown } | null = null;
  #ended = false;

  constructor(bound: BoundChain, next: ServerInterceptingCallInterface) {
    super(next);
    this.#bound = bound;
  }

  start(listener: ServerListener): void {
    this.#listener = listener;
    const next: StagedCarrier = this.next;
    if ('watcher' in next) next.watcher = this;
    else watchStatus(next, this);
    next.start(this);
  }

  onReceiveMetadata(metadata: Metadata): void {
    const call = new StagedGrpcCall(this.#bound.method, this.next, metadata);
    this.#call = call;
    this.#admit(call, 0, metadata);
  }

  /** Passes the call to the stages from this place on, and then to the handler. */
  #admit(call: StagedGrpcCall, from: number, metadata: Metadata): void {
    const { onCall } = this.#bound;
    for (let i = from; i < onCall.length; i++) {
      try {
        const wait = onCall[i]!(call);
        if (wait !== undefined) {
          void this.#admitAfter(wait, i, metadata);
          return;
        }
        if (this.#surround(call, i, metadata)) return;
      } catch (error) {
        this.#deny(error);
        return;
      }
    }
    if (this.#bound.handlerReads && this.#bound.onNoMessage.length > 0) {
      this.#held = metadata;
      this.next.startRead();
    } else this.#pass('onReceiveMetadata', metadata);
  }

  async #admitAfter(wait: Promise<void>, place: number, metadata: Metadata): Promise<void> {
    try {
      await wait;
      if (this.#ended || this.#surround(this.#call!, place, metadata)) return;
    } catch (error) {
      this.#deny(error);
      return;
    }
    this.#admit(this.#call!, place + 1, metadata);
  }

  /** Whether the stage at this place runs those after it. */
  #surround(call: StagedGrpcCall, place: number, metadata: Metadata): boolean {
    const hook = this.#bound.withinStages[place];
    if (hook === undefined) return false;
    hook(call, () => this.#admit(call, place + 1, metadata));
    return true;
  }

  onReceiveMessage(given: unknown): void {
    if (this.#ended) return;
    this.#hasMessage = true;
    const { toReceive, onMessage } = this.#bound;
    let message = given;
    try {
      for (const hook of toReceive) message = hook(this.#call!, message);
    } catch (error) {
      this.#deny(error);
      return;
    }
    for (let i = 0; i < onMessage.length; i++) {
      try {
        const wait = onMessage[i]!(this.#call!, message);
        if (wait !== undefined) {
          this.#pending = true;
          void this.#finishMessage(wait, i + 1, message);
          return;
        }
      } catch (error) {
        this.#deny(error);
        return;
      }
    }
    this.#deliver(message);
  }

  async #finishMessage(first: Promise<void>, from: number, message: unknown): Promise<void> {
    try {
      await first;
      for (const hook of this.#bound.onMessage.slice(from)) {
        if (this.#ended) return;
        await hook(this.#call!, message);
      }
    } catch (error) {
      this.#deny(error);
    }
    this.#pending = false;
    if (this.#ended) return;
    this.#deliver(message);
    if (this.#halfCloseWaits) this.onReceiveHalfClose();
  }

  /** Passes on a message that has passed the stages; the first one starts a held handler. */
  #deliver(message: unknown): void {
    if (this.#held === null) {
      this.#pass('onReceiveMessage', message);
      return;
    }
    // Before the handler starts, which may read at once.
    this.#first = { message };
    this.#startHeld();
  }

  #startHeld(): void {
    const metadata = this.#held;
    this.#held = null;
    this.#pass('onReceiveMetadata', metadata);
  }

  onReceiveHalfClose(): void {
    if (this.#ended) return;
    if (this.#pending || this.#first !== null) this.#halfCloseWaits = true;
    else if (this.#bound.handlerReads) setImmediate(() => this.#halfClose());
    else if (!this.#hasMessage) setTimeout(() => this.#halfClose(), CANCEL_SLACK_MS);
    else this.#halfClose();
  }

  /**
   * When a connection is lost, grpc-js says that the caller is done, and a moment later that the call is
   * cancelled. A handler must not mistake a part of a stream of requests for all of it.
   */
  #halfClose(): void {
    if (this.#ended) return;
    if (this.#held !== null) {
      try {
        for (const hook of this.#bound.onNoMessage) hook(this.#call!);
      } catch (error) {
        this.#deny(error);
        return;
      }
      this.#startHeld();
    }
    this.#pass('onReceiveHalfClose', undefined);
  }

  onCancel(): void {
    if (!this.#ended) {
      this.#ended = true;
      const outcome = outcomeOfCancel(Number(this.next.getDeadline()));
      this.#report(outcome);
      this.#call?.abort(outcome.code, outcome.message);
    }
    this.#pass('onCancel', undefined);
  }

  /**
   * Why: docs/decisions/0125. What the chain did not send comes from the transport: it cannot read a
   * message, or write one. A deadline that passes is reported by {@link onCancel}, as when the caller
   * notices it first.
   */
  onStatus(given: Status): Status {
    if (this.#ended || given.code === codes.DEADLINE_EXCEEDED) return given;
    this.#ended = true;
    const status = sendableStatus(given);
    const { code, details: message } = status;
    const error = this.#call?.failure;
    const failure = error === undefined ? {} : { error };
    this.#report({ code: code as number, message, cancelled: false, ...failure });
    this.#call?.abort(code as number, message);
    return status;
  }

  /** Runs a part of the handler within the stages; closures are for those that want it. */
  #pass(step: keyof ServerListener, value: unknown): void {
    const { within, handlerReads } = this.#bound;
    const call = this.#call;
    // A streaming handler begins with the metadata, any other one with the half-close.
    const runsHandler = handlerReads || step === 'onReceiveHalfClose' || step === 'onCancel';
    try {
      if (call !== null && runsHandler && (within.length > 0 || isFollowingCalls())) {
        runInStages(this.#bound, call, () => this.#listener[step](value as never));
      } else this.#listener[step](value as never);
    } catch (error) {
      this.#deny(error);
    }
  }

  sendMetadata(metadata: Metadata): void {
    if (this.#ended) return;
    const all = this.#call === null ? sendable(metadata) : this.#call.headersWith(metadata);
    this.next.sendMetadata(all ?? new Metadata());
  }

  sendMessage(given: unknown, callback: () => void): void {
    if (this.#ended) return;
    const { toSend, onSend } = this.#bound;
    let message = given;
    try {
      for (const hook of toSend) message = hook(this.#call!, message);
      for (const hook of onSend) hook(this.#call!, message);
    } catch (error) {
      this.#deny(error);
      return;
    }
    this.#flushHeaders();
    this.next.sendMessage(message, callback);
  }

  sendStatus(given: Status): void {
    if (this.#ended) return;
    this.#ended = true;
    const status = shownStatus(this.#bound, this.#call, sendableStatus(given));
    const error = this.#call?.failure;
    const isOk = status.code === codes.OK;
    this.#finish(status, isOk || error === undefined ? {} : { error });
  }

  /** Headers of the stages that no handler sent along; before a status too, so they arrive. */
  #flushHeaders(): void {
    const own = this.#call?.takeHeaders();
    if (own) this.next.sendMetadata(sendable(own) ?? new Metadata());
  }

  /** Ends the call with the error of a stage; a handler that is already running sees a cancelled call. */
  #deny(error: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#finish(shownStatus(this.#bound, this.#call, statusOf(error)), { error });
    this.#call?.abort(Code.CANCELLED, 'the call was denied', { cause: error });
  }

  #finish(status: GrpcStatus, failure: Pick<CallOutcome, 'error'>): void {
    this.#flushHeaders();
    this.next.sendStatus(status);
    const { code, details: message } = status;
    this.#report({ code: code as number, message, cancelled: false, ...failure });
  }

  #report(outcome: CallOutcome): void {
    if (this.#call !== null) reportEnd(this.#bound, this.#call, outcome);
  }

  startRead(): void {
    const first = this.#first;
    if (first === null) {
      this.next.startRead();
      return;
    }
    this.#first = null;
    this.#pass('onReceiveMessage', first.message);
    if (this.#halfCloseWaits) this.onReceiveHalfClose();
  }
}
