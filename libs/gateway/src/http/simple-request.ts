import type { IncomingMessage } from 'node:http';
import type { ResolvedTranscoding } from '../options.js';
import { takesRawBody } from '../request/body.js';
import { isForm } from '../request/form.js';
import type { RoutedRequest } from './answer.js';
import { assertJson, mediaTypeOf } from './media-type.js';
import { assertOrigin } from '../request/origins.js';

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The types that a page of any origin may send (Fetch, "CORS-safelisted request-header"), and no type. */
const SAFELISTED = new Set([
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/**
 * Refuses requests that a web page of any origin can make a browser send, with its cookies, without a
 * preflight: forms, raw bodies of a form type, and requests without a type, unless `origins` allows the
 * page. For any other type the browser sends a preflight, which CORS answers; a form type that the rule
 * does not accept is refused by {@link assertTypeTaken}.
 *
 * @throws HttpRefusal, 403.
 */
// Why: docs/decisions/0183
export function assertNotForged(request: RoutedRequest, options: TypeRules): void {
  const { req } = request;
  if (!isSimple(req) || isOfForeignType(request, options)) return;
  assertOrigin(req, options.origins, (whose) => `pages of ${whose} may not send this request`);
}

/**
 * Refuses a form type that the rule does not accept, even without a body: a page of any origin can send it.
 *
 * @throws HttpRefusal, 415.
 */
export function assertTypeTaken(request: RoutedRequest, options: TypeRules): void {
  if (isSimple(request.req) && isOfForeignType(request, options)) assertJson(request.req);
}

type TypeRules = Pick<ResolvedTranscoding, 'forms' | 'origins'>;

/** Whether a browser sends it for a page of any origin without asking first. */
function isSimple({ method, headers }: IncomingMessage): boolean {
  return !SAFE.has(method ?? '') && SAFELISTED.has(mediaTypeOf(headers['content-type'] ?? ''));
}

function isOfForeignType({ req, binding }: RoutedRequest, { forms }: TypeRules): boolean {
  const type = req.headers['content-type'] ?? '';
  if (mediaTypeOf(type) === '') return false;
  return !takesRawBody(binding) && !(forms && isForm(type));
}
