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
 * first: a body of a type that forms have, unless the rule takes it, and, unless `origins` has the page, forms,
 * raw bodies of such a type and requests without a type. A type of any other kind has the
 * browser ask first, and CORS answers.
 *
 * @throws HttpRefusal, 403 or 415.
 */
// Why: docs/decisions/0183
export function assertNotForged(
  { req, binding }: RoutedRequest,
  { forms, origins }: Pick<ResolvedTranscoding, 'forms' | 'origins'>,
): void {
  if (SAFE.has(req.method ?? '')) return;
  const type = req.headers['content-type'] ?? '';
  const mediaType = mediaTypeOf(type);
  if (!SAFELISTED.has(mediaType)) return;
  const isTaken = takesRawBody(binding) || (forms && isForm(type));
  if (mediaType !== '' && !isTaken) assertJson(req);
  assertOrigin(req, origins, (whose) => `pages of ${whose} may not send this request`);
}
