import type { Call, CallEnd } from '@apix/calls';
import { status as GrpcStatus } from '@grpc/grpc-js';
import type { PendingRequest, TakeRequest } from './request-source.js';

/** How long a server on a network has to refuse a call before its caller counts as admitted. */
// Why: docs/decisions/0180
export const ADMISSION_MS = 250;

/**
 * Statuses of a call that was ended without its request, for which gRPC has UNIMPLEMENTED
 * (statuscodes.md). Any other one is about the caller, or says that the call did not reach the server.
 */
const WITHOUT_REQUEST: ReadonlySet<GrpcStatus> = new Set([
  GrpcStatus.OK,
  GrpcStatus.CANCELLED,
  GrpcStatus.UNKNOWN,
  GrpcStatus.DEADLINE_EXCEEDED,
  GrpcStatus.UNIMPLEMENTED,
  GrpcStatus.INTERNAL,
]);

/** Statuses by which servers refuse a call, whatever its request. */
export const REFUSALS: ReadonlySet<GrpcStatus> = new Set([
  GrpcStatus.UNAUTHENTICATED,
  GrpcStatus.PERMISSION_DENIED,
  GrpcStatus.RESOURCE_EXHAUSTED,
  GrpcStatus.UNAVAILABLE,
]);

/** The callbacks of a request that is not sent at once. */
export interface RequestOutcome {
  onSent?(): void;
  /** The request cannot be read, and its call is given up. */
  onUnreadable(error: unknown): void;
}

/**
 * Reads the single request of a call when its server wants it, and sends it. An unreadable request
 * ends the requests without one, so that a server on a network still answers callers that it refuses.
 */
export class RequestSender {
  readonly #call: Call;
  readonly #outcome: RequestOutcome;
  #source: PendingRequest | undefined;
  #isReading = false;
  #isStopped = false;
  #failure: { readonly error: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(call: Call, outcome: RequestOutcome) {
    this.#call = call;
    this.#outcome = outcome;
  }

  start(source: PendingRequest): void {
    if (this.#call.whenWanted !== undefined) {
      this.#call.whenWanted(() => {
        if (this.#isStopped) return;
        this.#read(source);
        this.#source?.admit();
      });
      return;
    }
    this.#afterRefusals(() => this.#source?.admit());
    this.#read(source);
  }

  /** The call is over, or its caller is gone: reads no further. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    if (this.#isReading) this.#source?.stop();
    this.#isReading = false;
    this.#source = undefined;
  }

  /**
   * The call has ended.
   *
   * @returns the caller's own error, if it is the reason.
   */
  end({ status, fromServer }: CallEnd): { readonly error: unknown } | undefined {
    const blame = this.#blame(status.code);
    const source = this.#source;
    this.stop();
    if (fromServer && !REFUSALS.has(status.code)) source?.admit();
    return blame;
  }

  #blame(code: GrpcStatus): { readonly error: unknown } | undefined {
    if (this.#failure !== undefined) return WITHOUT_REQUEST.has(code) ? this.#failure : undefined;
    if (!this.#isReading || code !== GrpcStatus.DEADLINE_EXCEEDED) return undefined;
    return { error: this.#source?.overdue() };
  }

  #read(source: PendingRequest): void {
    this.#source = source;
    this.#isReading = true;
    source.start(this.#take, this.#refuse);
  }

  /** Calls back when a server on a network has had its time to refuse the call. */
  #afterRefusals(run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // A refusal may be there already, unread, after a turn that took long.
      setImmediate(() => {
        if (!this.#isStopped) run();
      });
    }, ADMISSION_MS);
  }

  readonly #take: TakeRequest = (message, textBytes) => {
    this.#isReading = false;
    this.#call.send(message, { textBytes });
    this.#call.halfClose();
    this.#outcome.onSent?.();
  };

  readonly #refuse = (error: unknown): void => {
    this.#failure = { error };
    if (this.#call.whenWanted !== undefined) {
      this.#giveUp(error);
      return;
    }
    // Not cancelled: servers close the connection of a client that resets many calls on it.
    this.#call.halfClose();
    this.#afterRefusals(() => this.#giveUp(error));
  };

  #giveUp(error: unknown): void {
    this.stop();
    this.#call.cancel();
    this.#outcome.onUnreadable(error);
  }
}
