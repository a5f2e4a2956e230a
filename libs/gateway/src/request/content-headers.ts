import type { IncomingMessage } from 'node:http';
import { Code } from '@apix/contracts';
import { headerList } from '@apix/contracts/internal';
import { type HttpRefusal, badRequest, quotedInput, refusal } from '../errors.js';
import type { ResolvedTranscoding } from '../options.js';
import type { Binding } from '../rules/binding.js';
import { takesRawBody } from './body.js';
import { assertOrigin } from './origins.js';

/** A request, and the rule that serves it. */
interface Request {
  readonly req: IncomingMessage;
  readonly binding: Binding;
}

type TypeRules = Pick<ResolvedTranscoding, 'forms' | 'origins'>;

const JSON_TYPE = /^(?:application\/(?:[\w!#$&^.+-]+\+)?json|text\/json)$/;
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** The types that a page of any origin may send (Fetch, "CORS-safelisted request-header"), and no type. */
const SAFELISTED = new Set(['', FORM_TYPE, 'multipart/form-data', 'text/plain']);

/**
 * Refuses requests that change something and that a web page of any origin can make a browser send, with its
 * cookies, without a preflight: forms, raw bodies of a form type, and requests without a type, unless `origins`
 * allows the page. For any other type the browser sends a preflight, which CORS answers; a form type that the
 * rule does not accept is refused by {@link assertTypeTaken}. Call both only for methods that change something.
 *
 * @throws HttpRefusal, 403.
 */
// Why: docs/decisions/0183
export function assertNotForged(request: Request, options: TypeRules): void {
  const { req } = request;
  if (!isSimple(req) || isOfForeignType(request, options)) return;
  assertOrigin(req, options.origins, (whose) => `pages of ${whose} may not send this request`);
}

/**
 * Refuses a form type that the rule does not accept, even without a body: a page of any origin can send it.
 *
 * @throws HttpRefusal, 415.
 */
export function assertTypeTaken(request: Request, options: TypeRules): void {
  if (isSimple(request.req) && isOfForeignType(request, options)) assertJson(request.req);
}

/** @throws HttpRefusal for a body if the rule has none, one of another media type and a compressed one. */
export function assertBodyTaken({ req, binding }: Request, { forms }: TypeRules): void {
  if (binding.body.kind === 'none') {
    const { httpMethod, template } = binding;
    throw badRequest(`request body: ${httpMethod} ${template.source} takes no body`);
  }
  assertNotCompressed(req);
  if (!takesRawBody(binding) && !(forms && isForm(contentTypeOf(req)))) assertJson(req);
}

/** True for the media type that HTML forms send. */
export function isForm(contentType: string): boolean {
  return mediaTypeOf(contentType) === FORM_TYPE;
}

export function contentTypeOf(req: IncomingMessage): string {
  return req.headers['content-type'] ?? '';
}

/** Whether a browser sends it for a page of any origin without asking first. */
function isSimple(req: IncomingMessage): boolean {
  return SAFELISTED.has(mediaTypeOf(contentTypeOf(req)));
}

function isOfForeignType({ req, binding }: Request, { forms }: TypeRules): boolean {
  const type = mediaTypeOf(contentTypeOf(req));
  return type !== '' && !takesRawBody(binding) && !(forms && type === FORM_TYPE);
}

/**
 * Refuses a body that is not JSON by its Content-Type, which it must have: a page of any origin can
 * send one without.
 *
 * @throws HttpRefusal, 415 with `Accept-Post` or `Accept-Patch`, or for a charset other than UTF-8.
 */
function assertJson(req: IncomingMessage): void {
  const type = contentTypeOf(req);
  const mediaType = mediaTypeOf(type);
  if (!JSON_TYPE.test(mediaType)) {
    const message =
      mediaType === ''
        ? 'no content type: send application/json'
        : `content type ${quotedInput(mediaType)}: send application/json`;
    const accepts = req.method === 'PATCH' ? 'accept-patch' : 'accept-post';
    throw unsupported(message, { [accepts]: 'application/json' });
  }
  assertUtf8(type);
}

/** @throws HttpRefusal, 415, for a charset other than UTF-8. */
export function assertUtf8(contentType: string): void {
  const charset = parameterOf(contentType, 'charset')?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported(`charset ${quotedInput(charset)}: send UTF-8`);
  }
}

/** The media type of a Content-Type in lower case, without parameters; '' if there is none. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** A parameter of a Content-Type, without quotes; undefined if it is not there, or empty. */
function parameterOf(contentType: string, name: string): string | undefined {
  const [, ...parameters] = headerList(contentType, { separator: ';', escapes: true });
  for (const parameter of parameters) {
    const [, key, value] = /^([^\s=]+)\s*=\s*"?([^"]*)/.exec(parameter) ?? [];
    if (key?.toLowerCase() === name) return value?.trim() || undefined;
  }
  return undefined;
}

/** @throws HttpRefusal, 415 with `Accept-Encoding` (RFC 9110 §12.5.3), for a compressed body. */
function assertNotCompressed(req: IncomingMessage): void {
  const coding = req.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() === 'identity') return;
  const message = `content encoding ${quotedInput(coding)}: send the body as it is`;
  throw unsupported(message, { 'accept-encoding': 'identity' });
}

export function unsupported(message: string, headers: Record<string, string> = {}): HttpRefusal {
  return refusal(Code.INVALID_ARGUMENT, message, { httpStatus: 415, headers });
}
