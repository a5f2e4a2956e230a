import type { IncomingHttpHeaders } from 'node:http';
import {
  type CallMetadata,
  type CallContext,
  type CallMethod,
  type CallPeer,
} from '@apix/contracts';
import { FORWARDED_KEY } from '@apix/contracts/internal';
import { HttpMetadata, requestPeer } from '@apix/calls/internal';
import { closedSignal, type Ending, type RequestHead } from '../request/request.js';

const AUTHORIZATION = 'authorization';

type Params = Readonly<Record<string, unknown>>;

/**
 * The headers of a handshake. Browsers cannot set any for a WebSocket, so that clients send `authorization`
 * among their connection parameters; it counts if the handshake has none.
 */
// Why: docs/decisions/0221
class ConnectionMetadata implements CallMetadata {
  readonly #headers: HttpMetadata;
  readonly #params: Params | undefined;

  constructor(headers: HttpMetadata, params: Params | undefined) {
    this.#headers = headers;
    this.#params = params;
  }

  get(key: string): readonly string[] {
    const values = this.isParam(key) ? [] : this.#headers.get(key);
    return values.length === 0 && key === AUTHORIZATION ? authorizationIn(this.#params) : values;
  }

  keys(): readonly string[] {
    const keys = this.#headers.keys().filter((key) => !this.isParam(key));
    const isMissing = !keys.includes(AUTHORIZATION) && this.get(AUTHORIZATION).length > 0;
    return isMissing ? [...keys, AUTHORIZATION] : keys;
  }

  /** Whether a header did not come with the handshake, but is a parameter that Mercurius put there. */
  private isParam(key: string): boolean {
    return (
      isAmong(this.#params, key) &&
      this.#headers.isKnownAsReceived &&
      this.#headers.received(key).length === 0
    );
  }
}

function isAmong(params: Params | undefined, key: string): boolean {
  return (
    params !== undefined && [params, headersIn(params)].some((each) => Object.hasOwn(each, key))
  );
}

/** Under `Authorization` of any case, or under `headers`, as Mercurius and urql have it. */
function authorizationIn(params: Params | undefined): readonly string[] {
  if (params === undefined) return [];
  return [params, headersIn(params)]
    .flatMap((each) => Object.entries(each))
    .filter(([name]) => name.toLowerCase() === AUTHORIZATION)
    .map(([, value]) => value)
    .filter((value) => typeof value === 'string');
}

function headersIn({ headers }: Params): object {
  return typeof headers === 'object' && headers !== null ? headers : {};
}

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
