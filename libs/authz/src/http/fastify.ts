import { isStatusError } from '@apix/contracts';
import { targetOf, leaveRequest } from '@apix/contracts/internal';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Authorizer } from '../decide/authorizer.js';
import { HttpCall } from '../request/http-call.js';
import { entryRule, type HttpPolicy } from './entry-rule.js';
import { type HttpAuthzOptions, resolveHttpAuthzOptions, refusalAnswer } from './refusal-answer.js';
import { leaveCaller } from './subject-of.js';

/** The part of Fastify's request that is used. */
export interface FastifyRequestPart {
  readonly raw: IncomingMessage;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly originalUrl: string;
}

/** The part of Fastify's reply that is used. */
export interface FastifyReplyPart {
  readonly raw: ServerResponse;
  readonly sent: boolean;
  hasHeader(name: string): boolean;
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body: Buffer): unknown;
}

/** A hook of Fastify; it resolves to the reply if the hook has answered the request. */
export type FastifyAuthzHook = (
  request: FastifyRequestPart,
  reply: FastifyReplyPart,
) => Promise<unknown>;

/**
 * Creates `onRequest` hooks for Fastify: `{ onRequest: may({ rpc: 'shop.v1.Orders/Get' }) }` for one
 * route, or `fastify.addHook('onRequest', …)`. A refused caller gets a problem document before its body
 * is read. An error thrown by a {@link RpcOfRequest} goes to the app's error handler.
 *
 * @throws OptionsError for a wrong option. The returned function throws PolicyError for a policy that
 *   cannot be enforced.
 */
export function fastifyAuthz(
  authorizer: Authorizer,
  options: HttpAuthzOptions = {},
): (policy: HttpPolicy) => FastifyAuthzHook {
  const { challenge } = resolveHttpAuthzOptions(options);
  return (policy) => {
    const rule = entryRule(authorizer, policy);
    return async (request, reply) => {
      try {
        const admission = await rule({
          get target() {
            return { method: request.method, path: targetOf(request).path };
          },
          call: (method) => new HttpCall(method, request.raw, reply.raw, request.headers),
        });
        leaveCaller(request, admission);
        return undefined;
      } catch (error) {
        if (!isStatusError(error)) throw error;
        if (reply.sent) return reply;
        const isChallenged = reply.hasHeader('www-authenticate');
        const answer = refusalAnswer(
          error,
          request.raw.headers.accept,
          isChallenged ? undefined : challenge,
        );
        reply.code(answer.status);
        for (const [name, value] of Object.entries(answer.headers)) reply.header(name, value);
        leaveRequest(reply.raw);
        // Bytes, so that Fastify does not serialize the body a second time.
        reply.send(Buffer.from(answer.body));
        return reply;
      }
    };
  };
}
