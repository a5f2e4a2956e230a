import { HttpMetadata } from '@apix/calls';
import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
  FORWARDED_KEY,
} from '@apix/contracts';
import type { IncomingMessage } from 'node:http';
import { requestPeer } from '../request/request-peer.js';

/** A request of the Fetch standard as the subject function sees it. */
export class WebCall implements CallContext {
  readonly door = 'http';
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #request: Request;
  readonly #incoming: IncomingMessage | undefined;

  /** @param incoming Node's request, where it is one; else nothing is known of the peer. */
  constructor(
    readonly method: CallMethod,
    request: Request,
    incoming: IncomingMessage | undefined,
  ) {
    this.#request = request;
    this.#incoming = incoming;
    this.metadata = new HttpMetadata(
      incoming?.rawHeaders ?? [],
      Object.fromEntries(request.headers),
    );
    this.forwarded = request.headers.has(FORWARDED_KEY);
  }

  get peer(): CallPeer {
    return this.#incoming === undefined
      ? { address: '' }
      : requestPeer(this.#incoming, this.forwarded);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
