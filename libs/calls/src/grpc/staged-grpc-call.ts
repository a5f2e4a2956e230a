import type { ServerInterceptingCallInterface } from '@grpc/grpc-js';
import {
  type CallMethod,
  type CallPeer,
  type Code,
  type StagedCall,
  StatusError,
  type StatusErrorOptions,
  type TraceIds,
  stagedCallOf,
  type CallMetadata,
} from '@apix/contracts';
import {
  FORWARDED_KEY,
  type CallersContext,
  STAGED_CALL,
  acceptedRequestId,
} from '@apix/contracts/internal';
import { Metadata } from '../npm-install/@grpc/grpc-js.js';
import { sendable, sendableWith } from './status.js';
import { peerCertificate } from '../certificate/peer-certificate.js';
import type { StatusWatcher } from '../patches/watch-status.js';

type WithCall = Metadata & { [STAGED_CALL]?: StagedGrpcCall };

/** What carries a call: a connection of grpc-js, or the caller in the same process. */
export interface StagedCarrier extends ServerInterceptingCallInterface {
  /** The asynchronous context of the caller, where that is in this process. */
  readonly callersContext?: CallersContext | undefined;
  /** The other end of the caller's connection, where the caller is an entry point in this process. */
  readonly callersPeer?: CallPeer | undefined;
  /** Asked, where the carrier has this member, for the status to send in place of one of its own. */
  watcher?: StatusWatcher | undefined;
}

const REQUEST_ID = 'x-request-id';

/** One gRPC call as the stages see it. Values that cost something are created on first use. */
export class StagedGrpcCall implements StagedCall {
  readonly door = 'grpc';
  readonly metadata: GrpcCallMetadata;
  readonly forwarded: boolean;
  /** The error of the handler, if its host knows it. */
  failure: unknown;
  trace: TraceIds | undefined;
  readonly #call: StagedCarrier;
  /** What stages have added to the response headers; null: nothing, or already sent. */
  #headers: Metadata | null = null;
  #peer: CallPeer | undefined;
  #values: Map<symbol, unknown> | undefined;
  #controller: AbortController | undefined;
  #requestId: string | undefined;
  #over = false;

  /** Also puts itself on the metadata, which the handler gets: see {@link callOf}. */
  constructor(
    readonly method: CallMethod,
    call: StagedCarrier,
    metadata: Metadata,
  ) {
    this.#call = call;
    this.metadata = new GrpcCallMetadata(metadata);
    this.forwarded = metadata.get(FORWARDED_KEY).length > 0;
    (metadata as WithCall)[STAGED_CALL] = this;
  }

  inCallersContext<T>(read: () => T): T | undefined {
    return this.#call.callersContext?.runInAsyncScope(read);
  }

  get deadline(): number {
    return Number(this.#call.getDeadline());
  }

  get requestId(): string | undefined {
    return this.#requestId ?? acceptedRequestId(this.metadata.get(REQUEST_ID)[0]);
  }

  set requestId(id: string | undefined) {
    this.#requestId = id;
  }

  get peer(): CallPeer {
    return (this.#peer ??= this.#call.callersPeer ?? peerOf(this.#call, this.forwarded));
  }

  get values(): Map<symbol, unknown> {
    return (this.#values ??= new Map());
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#over) this.#controller.abort();
    }
    return this.#controller.signal;
  }

  setHeader(key: string, value: string): void {
    if (key.toLowerCase() === REQUEST_ID) this.#requestId = value;
    (this.#headers ??= new Metadata()).set(key, value);
  }

  /** The headers of the stages, once: to be sent. */
  takeHeaders(): Metadata | null {
    const own = this.#headers;
    this.#headers = null;
    return own;
  }

  /** The headers of the stages and the handler's, which stay as they are: it may use them again. */
  headersWith(given: Metadata): Metadata | null {
    const own = this.takeHeaders();
    return own === null ? sendable(given) : sendableWith(own, given);
  }

  /** The call is over: aborts the signal; a signal that is asked for later is aborted from the start. */
  abort(code: Code, message: string, options?: StatusErrorOptions): void {
    this.#over = true;
    // Most calls end without a signal, and a reason costs its stack.
    if (this.#controller !== undefined) {
      this.#controller.abort(new StatusError(code, message, options));
    }
  }
}

/** The staged call that a handler's metadata belongs to; undefined without a stage chain. */
export function callOf(metadata: unknown): StagedCall | undefined {
  return metadata instanceof Metadata ? stagedCallOf(metadata) : undefined;
}

/**
 * Passes the error of a handler to the chain, so that `onEnd` can report the error itself and not only its
 * status.
 */
export function noteFailure(metadata: Metadata, error: unknown): void {
  const call: StagedGrpcCall | null | undefined = (metadata as WithCall)[STAGED_CALL];
  // A handler may have put something else there.
  if (typeof call === 'object' && call !== null) call.failure ??= error;
}

/** The other end of the connection; without the certificate if the connection is a gateway's. */
export function peerOf(call: ServerInterceptingCallInterface, forwarded: boolean): CallPeer {
  const verified = forwarded ? undefined : call.getAuthContext().sslPeerCertificate;
  return {
    address: addressOf(call),
    ...(verified && { certificate: peerCertificate(verified) }),
  };
}

/** As `getPeer` has it, which asks the socket for each part again; grpc-js has asked it once. */
function addressOf(call: ServerInterceptingCallInterface): string {
  const { remoteAddress, remotePort } = call.getConnectionInfo();
  if (remoteAddress !== undefined && remotePort !== undefined) {
    return `${remoteAddress}:${remotePort}`;
  }
  const peer = call.getPeer();
  return peer === 'unknown' ? '' : peer;
}

/** A view of grpc-js metadata; binary values (`-bin` keys) are left out. */
class GrpcCallMetadata implements CallMetadata {
  readonly #metadata: Metadata;

  constructor(metadata: Metadata) {
    this.#metadata = metadata;
  }

  get(key: string): readonly string[] {
    return this.#metadata.get(key).filter((value) => typeof value === 'string');
  }

  keys(): readonly string[] {
    return Object.keys(this.#metadata.getMap());
  }
}
