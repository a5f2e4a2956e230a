import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HandshakeCaller } from './handshake-call.js';
import { type RequestHead, requestHead } from '../request/request-head.js';

type Params = Readonly<Record<string, unknown>>;

/** Where the drivers of Nest keep the request, in the context that all resolvers of an operation share. */
interface Shared {
  /** Nest's own, for every driver: the request, or the connection of graphql-ws. */
  readonly req?: GraphqlConnection;
  /** Mercurius': of a query, and of a subscription. */
  readonly reply?: { readonly request?: unknown; readonly raw?: ServerResponse } | null;
  readonly request?: unknown;
  readonly _connectionInit?: Params;
  /** An app's own that passes on what graphql-ws has given it. */
  readonly extra?: GraphqlConnection['extra'];
  readonly connectionParams?: Params;
}

/** A connection of graphql-ws. */
interface GraphqlConnection {
  readonly extra?: { readonly request?: unknown } | null;
  readonly connectionParams?: Params;
}

/**
 * Who sent a GraphQL operation: the request, or the handshake of the WebSocket that it came through.
 * `mixed` if the app has one context object for several requests, so that the sender is unknown.
 */
export function graphqlCaller(value: unknown): HandshakeCaller | 'mixed' {
  if (typeof value !== 'object' || value === null) return {};
  const shared = value as Shared;
  const heads = [
    shared.reply?.request,
    shared.request,
    shared.req,
    shared.req?.extra?.request,
    shared.extra?.request,
  ]
    .map(requestHead)
    .filter((head) => head !== undefined);
  const [head] = heads;
  if (heads.some(({ request }) => request !== head!.request)) return 'mixed';
  const params = shared._connectionInit ?? shared.req?.connectionParams ?? shared.connectionParams;
  return {
    head,
    params: typeof params === 'object' && params !== null ? params : undefined,
    ending: head && [shared.reply?.raw ?? endingOf(head), 'close'],
  };
}

/** Express has the response on the request; a WebSocket has none. */
function endingOf({ request }: RequestHead): ServerResponse | IncomingMessage['socket'] {
  const { res } = request as IncomingMessage & { readonly res?: ServerResponse };
  return res ?? request.socket;
}
