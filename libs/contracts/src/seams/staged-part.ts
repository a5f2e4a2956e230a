/**
 * On a guard, an interceptor or a pre-request hook of Nest that a package registers for a whole app: what
 * it has to do for a gRPC call, whose stages have done the rest.
 */
export const STAGED_PART = Symbol.for('apix.StagedPart');

/** What is left of a part that Nest runs around handlers, for a call that passes the call chain. */
export interface StagedPart {
  /**
   * The stage that does the part's work. Nest runs the part where the chain does not have it. Default: the part has
   * nothing to do for any gRPC call.
   */
  readonly stage?: string;
  /** Called before each handler, with the metadata that the handler gets. Must not throw. */
  readonly reached?: (metadata: object, handler: HandlerOfCall) => void;
  /** Called with the error of a handler, before the exception filters. Must not throw. */
  readonly failed?: (metadata: object, error: unknown) => void;
}

/** A method of a controller. */
export interface HandlerOfCall {
  /** The class. */
  readonly controller: object;
  /** The function. */
  readonly method: object;
}

/**
 * What is left of a part; undefined for one that says nothing of it, and for an instance of a class derived from
 * one that does: it may do more.
 */
export function stagedPartOf(part: object): StagedPart | undefined {
  if (Object.hasOwn(part, STAGED_PART)) return partIn(part);
  if (Object.hasOwn(part, 'canActivate') || Object.hasOwn(part, 'intercept')) return undefined;
  const prototype = Object.getPrototypeOf(part) as object | null;
  return prototype !== null && Object.hasOwn(prototype, STAGED_PART) ? partIn(part) : undefined;
}

function partIn(part: { readonly [STAGED_PART]?: StagedPart }): StagedPart | undefined {
  return part[STAGED_PART];
}
