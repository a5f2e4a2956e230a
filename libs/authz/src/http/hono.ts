import { isStatusError, readTarget } from '@apix/contracts';
import type { IncomingMessage } from 'node:http';
import type { Authorizer } from '../decide/authorizer.js';
import { requestHead } from '../request/request-head.js';
import { entryRule } from './entry-rule.js';
import { type HttpAuthzOptions, resolveHttpAuthzOptions } from './http-authz-options.js';
import type { HttpPolicy } from './http-policy.js';
import { refusalAnswer } from './refusal-answer.js';
import { leaveCaller } from './subject-of.js';
import { WebCall } from './web-call.js';

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
