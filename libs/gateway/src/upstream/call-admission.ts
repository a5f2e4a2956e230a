import type {
  CallContext,
  CallMetadata,
  CallMethod,
  CallPeer,
  StatusDetail,
} from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';

/** Decides who may call; an `Authorizer` of `@apix/authz` is one. */
export interface CallAdmission {
  /**
   * Lets a call in by returning, or by the promise that it returns.
   *
   * @throws StatusError (or rejects with it) where the call is denied; anything else thrown is INTERNAL
   * to the caller, and the call is not let in either.
   */
  admit(call: CallContext): unknown;
  /**
   * The same for a call of which requests are decided about as well; called instead of `admit`. Default: only callers
   * are decided about.
   */
  begin?(call: CallContext): AdmittedRequests | PromiseLike<AdmittedRequests>;
}

/** Decides about the requests of an admitted call, one after the other, by throwing or rejecting as `admit`. */
export interface AdmittedRequests {
  /** For each request, before it is sent. Default: all are let through. */
  readonly onMessage?: ((request: unknown) => unknown) | undefined;
  /** For requests that end without one. Default: they are let through. */
  readonly onNoMessage?: (() => unknown) | undefined;
  /** An answer as the caller gets it; the call fails if it throws. Default: answers are passed on as they are. */
  readonly onAnswer?: ((message: unknown) => unknown) | undefined;
  /** The details of a status as the caller gets them; none if it throws. Default: they are passed on. */
  readonly onDetails?: ((details: readonly StatusDetail[]) => readonly StatusDetail[]) | undefined;
}

/** What is known of a call before it is made. */
export class ForwardedContext implements CallContext {
  readonly door = 'grpc';
  /** The certificate of a connection would be the gateway's own. */
  readonly forwarded = true;
  readonly peer: CallPeer = { address: '' };
  readonly metadata: CallMetadata;
  #controller: AbortController | undefined;
  #isOver = false;

  constructor(
    readonly method: CallMethod,
    metadata: Metadata,
  ) {
    this.metadata = {
      get: (key) => metadata.get(key).filter((value) => typeof value === 'string'),
      keys: () => Object.keys(metadata.getMap()),
    };
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isOver) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  /** Aborts the signal: the call was denied, its caller is gone, or its deadline has passed. */
  abort(): void {
    this.#isOver = true;
    this.#controller?.abort();
  }
}
