import type { RequirementInput } from '../policy/requirement.js';

/** What a request asks for. */
export interface HttpTarget {
  /** Such as `GET`. */
  readonly method: string;
  /** As it was sent, percent-encoded, without the query, and with the path of every mount. */
  readonly path: string;
}

/**
 * Finds the RPC whose policy a request has to meet, as `pkg.Service/Method`. Undefined: none is
 * found, and the request is refused.
 */
export type RpcOfRequest = (target: HttpTarget) => string | undefined;

/** What callers of a route must meet: the policy of an RPC, or a rule of the route's own. */
export type HttpPolicy =
  | { readonly rpc: string | RpcOfRequest }
  | {
      /** `{}` is any authenticated caller. */
      readonly requires: RequirementInput;
      /** Names the rule where decisions are observed. Default: 'http'. */
      readonly name?: string;
    };
