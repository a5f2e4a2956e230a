import type { RequirementInput } from '../policy/requirement.js';

/** The method and the target of a request. */
export interface HttpTarget {
  /** Such as `GET`. */
  readonly method: string;
  /** As it was sent, percent-encoded, without the query, and with the path of every mount. */
  readonly path: string;
}

/**
 * Finds the RPC whose policy a request must meet, as `pkg.Service/Method`. Undefined: there is none, and
 * the request is refused.
 */
export type RpcOfRequest = (target: HttpTarget) => string | undefined;

/** What callers of a route must meet: the policy of an RPC, or the route's own rule. */
export type HttpPolicy =
  | { readonly rpc: string | RpcOfRequest }
  | {
      /** `{}` is any authenticated caller. */
      readonly requires: RequirementInput;
      /** Names the rule where decisions are observed. Default: 'http'. */
      readonly name?: string;
    };
