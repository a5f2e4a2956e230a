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

/** Gives the subject function access to a request of the Fetch standard. */
export class WebCall implements CallContext {
  readonly door = 'http';
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #request: Request;
  readonly #incoming: IncomingMessage | undefined;

  /** @param incoming Node's request; undefined on other runtimes, where the peer is not known. */
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
