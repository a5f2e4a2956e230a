import type { RequirementInput } from '../policy/requirement.js';

/** The method and the target of a request. */
export interface HttpTarget {
  /** Such as `GET`. */
  readonly method: string;
  /** The full path as it was sent: percent-encoded, without the query, including the paths of mounts. */
  readonly path: string;
}

/**
 * Finds the RPC whose policy applies to a request, as `pkg.Service/Method`; if it returns undefined, the
 * request is refused.
 */
export type RpcOfRequest = (target: HttpTarget) => string | undefined;

/** The policy for a route: that of an RPC, or a rule of the route itself. */
export type HttpPolicy =
  | { readonly rpc: string | RpcOfRequest }
  | {
      /** `{}` is any authenticated caller. */
      readonly requires: RequirementInput;
      /** The name of the rule in decisions that are passed to observers. Default: 'http'. */
      readonly name?: string;
    };
