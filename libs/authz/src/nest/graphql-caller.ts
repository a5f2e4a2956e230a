import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ExecutionContext } from '@nestjs/common';
import { type RequestHead, requestHead } from '../request/request.js';
import type { HandshakeCaller } from './handshake-call.js';

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

/** What a resolver gets from graphql-js in addition to its parent and its arguments. */
interface GraphqlArguments {
  /** The context that all resolvers of an operation share. */
  readonly shared: unknown;
  /** New for each execution of an operation, and for each event of a subscription. */
  readonly execution: object | undefined;
}

/** Finds them among the arguments of a handler; a resolver of references gets no arguments. */
export function graphqlArguments(context: ExecutionContext): GraphqlArguments {
  const args: readonly unknown[] = context.getArgs();
  const at = args.length === 3 ? 1 : 2;
  const info = args[at + 1] as { readonly variableValues?: unknown } | null | undefined;
  const execution = info?.variableValues;
  return {
    shared: args[at],
    // The object is made when the variables of one execution are read, even if there are none.
    execution: typeof execution === 'object' && execution !== null ? execution : undefined,
  };
}
