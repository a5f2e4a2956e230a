import type { IncomingMessage } from 'node:http';
import type { ResolvedTranscoding } from '../options.js';
import { takesRawBody } from '../request/body.js';
import { isForm } from '../request/form.js';
import type { RoutedRequest } from './answer.js';
import { assertJson, mediaTypeOf } from './media-type.js';
import { assertOrigin } from '../request/origins.js';

/** Methods that change nothing (RFC 9110 §9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** What a page of any origin may send as (Fetch, "CORS-safelisted request-header"), and no type. */
const SAFELISTED = new Set([
  '',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'text/plain',
]);

/**
 * Refuses what a web page of any origin can have a browser send, with its cookies, without asking
 * first: unless `origins` has the page, forms, raw bodies of a type that forms have, and requests
 * without a type. A type of any other kind has the browser ask first, and CORS answers; a type of
 * forms that the rule does not take is {@link assertTypeTaken}'s.
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
 * Refuses a type that forms have and the rule does not take, also where no body comes with it: a
 * page of any origin can send it.
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
