import type { IncomingMessage } from 'node:http';
import { Code, StatusError, headerList, refusesType } from '@apix/contracts';
import { HttpRefusal, quotedInput } from '../errors.js';

const JSON_TYPE = /^(?:application\/(?:[\w!#$&^.+-]+\+)?json|text\/json)$/;

/**
 * Refuses a body that is not JSON by its Content-Type, which it must have: a page of any origin can
 * send one without.
 *
 * @throws HttpRefusal, 415 with `Accept-Post` or `Accept-Patch`, or for a charset other than UTF-8.
 */
export function assertJson(req: IncomingMessage): void {
  const type = req.headers['content-type'] ?? '';
  const mediaType = mediaTypeOf(type);
  if (!JSON_TYPE.test(mediaType)) {
    const message =
      mediaType === ''
        ? 'no content type: send application/json'
        : `content type ${quotedInput(mediaType)}: send application/json`;
    throw unsupported(message, {
      [req.method === 'PATCH' ? 'accept-patch' : 'accept-post']: 'application/json',
    });
  }
  const charset = parameterOf(type, 'charset')?.toLowerCase();
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
export function assertNotCompressed(req: IncomingMessage): void {
  const coding = req.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() === 'identity') return;
  throw unsupported(`content encoding ${quotedInput(coding)}: send the body as it is`, {
    'accept-encoding': 'identity',
  });
}

/**
 * Refuses a request whose answer would be JSON if its caller does not want that, before it does anything.
 *
 * @throws HttpRefusal, 406, for an `Accept` that gives JSON the weight 0.
 */
export function assertTakesJson(req: IncomingMessage): void {
  if (refusesType(req.headers.accept, 'application/json'))
    throw notAcceptable(['application/json']);
}

/** A 406 for a caller who refuses every form that there is. */
export function notAcceptable(mediaTypes: readonly string[]): HttpRefusal {
  const message = `Accept refuses ${mediaTypes.join(' and ')}: there is no other form`;
  return new HttpRefusal(new StatusError(Code.INVALID_ARGUMENT, message), { httpStatus: 406 });
}

function unsupported(message: string, headers: Record<string, string> = {}): HttpRefusal {
  return new HttpRefusal(new StatusError(Code.INVALID_ARGUMENT, message), {
    httpStatus: 415,
    headers,
  });
}
