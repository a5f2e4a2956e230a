import type { Message } from '@bufbuild/protobuf';
import { status as GrpcStatus } from '@grpc/grpc-js';
import type { PendingRequest } from './request-source.js';
import type { CallEnd, UpstreamCall } from './upstream.js';

/** How long a server on a network has to refuse a call before its caller counts as let in. */
// Why: docs/decisions/0180
export const ADMISSION_MS = 250;

/** What becomes of a request that is not sent at once. */
export interface RequestOutcome {
  onSent?(): void;
  /** The request cannot be read; its call is cancelled. */
  onUnreadable(error: unknown): void;
}

/** Has the one request of a call read when its server wants it, and sends it. */
export class RequestSender {
  readonly #call: UpstreamCall;
  readonly #outcome: RequestOutcome;
  #reading: PendingRequest | undefined;
  #isStopped = false;
  #isAdmitted = false;
  #failure: { readonly error: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(call: UpstreamCall, outcome: RequestOutcome) {
    this.#call = call;
    this.#outcome = outcome;
  }

  start(source: PendingRequest): void {
    if (this.#call.whenWanted !== undefined) {
      this.#call.whenWanted(() => {
        if (this.#isStopped) return;
        this.#read(source);
        this.#admit();
      });
      return;
    }
    this.#timer = setTimeout(() => {
      // A refusal may be there already, unread, after a turn that took long.
      setImmediate(() => this.#admit());
    }, ADMISSION_MS);
    this.#read(source);
  }

  /** The call is over, or its caller is gone: reads no further. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#reading?.stop();
    this.#reading = undefined;
  }

  /** What a caller is to blame for who has sent half a request by the deadline. */
  overdue({ status }: CallEnd): { readonly error: unknown } | undefined {
    if (this.#reading === undefined || status.code !== GrpcStatus.DEADLINE_EXCEEDED) {
      return undefined;
    }
    return this.#failure ?? { error: this.#reading.overdue() };
  }

  #read(source: PendingRequest): void {
    this.#reading = source;
    source.start(this.#take, this.#refuse);
  }

  #admit(): void {
    if (this.#isStopped || this.#isAdmitted) return;
    this.#isAdmitted = true;
    if (this.#failure === undefined) this.#reading?.admit();
    else this.#giveUp(this.#failure.error);
  }

  readonly #take = (message: Message): void => {
    clearTimeout(this.#timer);
    this.#reading = undefined;
    this.#call.send(message);
    this.#call.halfClose();
    this.#outcome.onSent?.();
  };

  readonly #refuse = (error: unknown): void => {
    this.#failure = { error };
    if (this.#isAdmitted) this.#giveUp(error);
  };

  #giveUp(error: unknown): void {
    this.stop();
    this.#call.cancel();
    this.#outcome.onUnreadable(error);
  }
}
