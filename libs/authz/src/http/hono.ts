import type { IncomingMessage } from 'node:http';
import {
  isStatusError,
  type CallContext,
  type CallMetadata,
  type CallMethod,
  type CallPeer,
} from '@apix/contracts';
import { readTarget, FORWARDED_KEY } from '@apix/contracts/internal';
import { HttpMetadata, requestPeer } from '@apix/calls/internal';
import type { Authorizer } from '../decide/authorizer.js';
import { requestHead } from '../request/request.js';
import { entryRule, type HttpPolicy } from './entry-rule.js';
import { type HttpAuthzOptions, resolveHttpAuthzOptions, refusalAnswer } from './refusal-answer.js';
import { leaveCaller } from './subject-of.js';

/** The part of Hono's context that is used. */
export interface HonoContextPart {
  readonly req: { readonly raw: Request };
  readonly env: unknown;
  readonly res: Response;
  body(data: string, status: number, headers: Record<string, string>): Response;
}

/** Middleware of Hono. */
export type HonoMiddleware = (
  context: HonoContextPart,
  next: () => Promise<void>,
) => Promise<Response | void>;

/**
 * Creates middleware for Hono: `may({ rpc: 'shop.v1.Orders/Get' })` before the handler of a route. A
 * refused caller gets a problem document before its body is read. An error thrown by a
 * {@link RpcOfRequest} goes to the app's `onError`.
 *
 * Client certificates and addresses are available only on Node with `@hono/node-server`.
 *
 * @throws OptionsError for a wrong option. The returned function throws PolicyError for a policy that
 *   cannot be enforced.
 */
export function honoAuthz(
  authorizer: Authorizer,
  options: HttpAuthzOptions = {},
): (policy: HttpPolicy) => HonoMiddleware {
  const { challenge } = resolveHttpAuthzOptions(options);
  return (policy) => {
    const rule = entryRule(authorizer, policy);
    return async (context, next) => {
      const request = context.req.raw;
      try {
        const admission = await rule({
          get target() {
            return { method: request.method, path: readTarget(request.url).path };
          },
          call: (method) => new WebCall(method, request, incomingOf(context.env)),
        });
        leaveCaller(context, admission);
      } catch (error) {
        if (!isStatusError(error)) throw error;
        const isChallenged = context.res.headers.has('www-authenticate');
        const { status, headers, body } = refusalAnswer(
          error,
          request.headers.get('accept') ?? undefined,
          isChallenged ? undefined : challenge,
        );
        return context.body(body, status, { ...headers });
      }
      return next();
    };
  };
}

/** Node's request, which `@hono/node-server` keeps in its bindings. */
function incomingOf(env: unknown): IncomingMessage | undefined {
  if (typeof env !== 'object' || env === null || !('incoming' in env)) return undefined;
  return requestHead(env.incoming)?.request;
}

/** Gives the subject function access to a request of the Fetch standard. */
class WebCall implements CallContext {
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
