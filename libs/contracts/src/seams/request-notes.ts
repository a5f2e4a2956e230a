import type { Code } from '../code.js';

/** On the request of HTTP, so that all installed copies find it. */
const REACHED = Symbol.for('apix.ReachedHandler');

/** Where a request of HTTP went. */
export interface ReachedHandler {
  /**
   * The pattern of the route with everything before it, such as `/api/orders/:id`; undefined if it has
   * none.
   */
  readonly route?: string | undefined;
  /** `Class.method`, or the full name of the RPC that a gateway calls. */
  readonly handler?: string | undefined;
  /** The protocol of the call that the request makes, such as `connect`. Default: none but HTTP. */
  readonly protocol?: string | undefined;
  /** How the call has failed, where the status of HTTP does not say so. Default: as the status says. */
  readonly code?: Code | undefined;
  /**
   * Further facts of the request for its event, by the names of their fields, such as `mcp_tool`; attributes of its span
   * are `apix.mcp.tool`. Short, and without control characters, also if a client has sent them.
   */
  readonly facts?: Readonly<Record<string, string>> | undefined;
  /** Whether the handler serves the operator: health, metrics, docs. */
  readonly isInfrastructure?: boolean | undefined;
}

interface Routed {
  [REACHED]?: ReachedHandler;
}

/** Records which handler a request reached, for what reports it at its end. The last record counts. */
export function noteHandler(request: object, reached: ReachedHandler): void {
  (request as Routed)[REACHED] = reached;
}

/** Where a request went; undefined as long as nothing has noted it. */
export function reachedHandler(request: object): ReachedHandler | undefined {
  return (request as Routed)[REACHED];
}

/** On the request of HTTP, so that all installed copies find it. */
const FAILURE = Symbol.for('apix.RequestFailure');

interface Failed {
  [FAILURE]?: { readonly error: unknown };
}

/**
 * Records why a request gets an answer that is an error, for what reports it at its end: for errors that no handler of
 * Nest has thrown and no call has reported. The first record counts.
 */
export function noteRequestError(request: object, error: unknown): void {
  (request as Failed)[FAILURE] ??= { error };
}

/** What was recorded, in an object, as anything may be thrown; undefined if nothing was. */
export function notedRequestError(request: object): { readonly error: unknown } | undefined {
  return (request as Failed)[FAILURE];
}
