import { endResponse, isStatusError, thrownText } from '@apix/contracts';
import { targetOf } from '@apix/contracts/internal';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Admission } from '../decide/admission.js';
import type { Authorizer } from '../decide/authorizer.js';
import { internalError } from '../errors.js';
import { HttpCall } from '../request/http-call.js';
import { type EntryRule, type HttpEntry, entryRule, type HttpPolicy } from './entry-rule.js';
import { type HttpAuthzOptions, resolveHttpAuthzOptions, refusalAnswer } from './refusal-answer.js';
import { leaveCaller } from './subject-of.js';

/** A request of node:http or node:http2. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;
/** A response of node:http or node:http2. */
export type NodeResponse = ServerResponse | Http2ServerResponse;

/** Middleware of Express, Connect and compatible frameworks. */
export type NodeMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Creates middleware for Express: `may({ rpc: 'shop.v1.Orders/Get' })` before the handler of a route.
 * A refused caller gets a problem document before its body is read, unless a body parser runs first.
 * An error thrown by a {@link RpcOfRequest} goes to the app's error handlers.
 *
 * @throws OptionsError for a wrong option. The returned function throws PolicyError for a policy that
 *   cannot be enforced.
 */
export function expressAuthz(
  authorizer: Authorizer,
  options: HttpAuthzOptions = {},
): (policy: HttpPolicy) => NodeMiddleware {
  const { challenge } = resolveHttpAuthzOptions(options);
  return (policy) => {
    const rule = entryRule(authorizer, policy);
    return (request, response, next) => {
      decide(
        rule,
        request,
        response,
        (error) => {
          if (!isStatusError(error)) next(error);
          else refuse(response, error, challenge);
        },
        next,
      );
    };
  };
}

/**
 * Creates listeners for servers of node:http and node:http2: `may(policy, listener)` calls the listener
 * for admitted callers only. Like {@link expressAuthz}, but an error thrown by a {@link RpcOfRequest} is
 * answered with 500 and emitted as a process warning, because there is no error handler.
 */
export function nodeAuthz(
  authorizer: Authorizer,
  options: HttpAuthzOptions = {},
): <Request extends NodeRequest, Response extends NodeResponse>(
  policy: HttpPolicy,
  listener: (request: Request, response: Response) => void,
) => (request: Request, response: Response) => void {
  const { challenge } = resolveHttpAuthzOptions(options);
  return (policy, listener) => {
    const rule = entryRule(authorizer, policy);
    return (request, response) => {
      const refused = (error: unknown): void => {
        if (isStatusError(error)) return refuse(response, error, challenge);
        process.emitWarning(`authz: a policy could not be looked up: ${thrownText(error)}`);
        refuse(response, internalError(error), challenge);
      };
      decide(rule, request, response, refused, () => listener(request, response));
    };
  };
}

/** Calls `admitted` or `refused`: synchronously if the rule decides synchronously. */
function decide(
  rule: EntryRule,
  request: NodeRequest,
  response: NodeResponse,
  refused: (error: unknown) => void,
  admitted: () => void,
): void {
  let admission: Admission | Promise<Admission>;
  try {
    admission = rule(entryOf(request, response));
  } catch (error) {
    return refused(error);
  }
  if (admission instanceof Promise) {
    void decideLater(admission, request, refused, admitted);
    return;
  }
  leaveCaller(request, admission);
  admitted();
}

async function decideLater(
  pending: Promise<Admission>,
  request: NodeRequest,
  refused: (error: unknown) => void,
  admitted: () => void,
): Promise<void> {
  let admission: Admission;
  try {
    admission = await pending;
  } catch (error) {
    return refused(error);
  }
  leaveCaller(request, admission);
  admitted();
}

function entryOf(request: NodeRequest, response: NodeResponse): HttpEntry {
  return {
    get target() {
      return { method: request.method ?? '', path: targetOf(request).path };
    },
    call: (method) =>
      // The compatibility layer of HTTP/2 also has everything that is read here.
      new HttpCall(method, request as IncomingMessage, response as ServerResponse),
  };
}

function refuse(
  response: NodeResponse,
  error: Parameters<typeof refusalAnswer>[0],
  challenge: string,
): void {
  // Other code has answered in the meantime, such as a timeout of the app.
  if (response.headersSent) return;
  const isChallenged = response.hasHeader('www-authenticate');
  const { status, headers, body } = refusalAnswer(
    error,
    response.req.headers.accept,
    isChallenged ? undefined : challenge,
  );
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  endResponse(response, body);
}
