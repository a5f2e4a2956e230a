import {
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
  FORWARDED_KEY,
} from '@apix/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import { closedSignal, type Ending } from '../request/closed-signal.js';
import { ConnectionMetadata } from './connection-metadata.js';
import { HttpMetadata } from '@apix/calls';
import type { RequestHead } from '../request/request-head.js';
import { requestPeer } from '../request/request-peer.js';

const NEVER = new AbortController().signal;

/** Who sent a WebSocket message or a GraphQL operation, as far as it is known. */
export interface HandshakeCaller {
  /** The request of the handshake or the operation; undefined if it was not kept. */
  readonly head?: RequestHead | undefined;
  /** Only the headers, if there is no request. */
  readonly headers?: IncomingHttpHeaders | undefined;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
  /** The object that ends when the caller disconnects, and its event for that. */
  readonly ending?: readonly [ending: Ending, event: string] | undefined;
}

/** A WebSocket message or a GraphQL operation as the subject function sees it. */
export class HandshakeCall implements CallContext {
  readonly metadata: CallMetadata;
  readonly forwarded: boolean;
  readonly #caller: HandshakeCaller;

  constructor(
    readonly door: 'websocket' | 'graphql',
    readonly method: CallMethod,
    caller: HandshakeCaller,
  ) {
    const { head, headers = head?.headers ?? {}, params } = caller;
    this.#caller = caller;
    const metadata = new HttpMetadata(head?.request.rawHeaders ?? [], headers);
    this.metadata = new ConnectionMetadata(metadata, params);
    this.forwarded = this.metadata.get(FORWARDED_KEY).length > 0;
  }

  get connectionParams(): Readonly<Record<string, unknown>> | undefined {
    return this.#caller.params;
  }

  get peer(): CallPeer {
    const { head } = this.#caller;
    return head === undefined ? { address: '' } : requestPeer(head.request, this.forwarded);
  }

  get signal(): AbortSignal {
    const { ending } = this.#caller;
    return ending === undefined ? NEVER : closedSignal(...ending);
  }
}
