import type { IncomingMessage } from 'node:http';
import { Code, StatusError } from '@apix/contracts';
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
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported(`charset ${quotedInput(charset)}: send UTF-8`);
  }
}

/** The media type of a Content-Type in lower case, without parameters; '' if there is none. */
export function mediaTypeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return (end === -1 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

/** @throws HttpRefusal, 415 with `Accept-Encoding` (RFC 9110 §12.5.3), for a compressed body. */
export function assertNotCompressed(req: IncomingMessage): void {
  const coding = req.headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() === 'identity') return;
  throw unsupported(`content encoding ${quotedInput(coding)}: send the body as it is`, {
    'accept-encoding': 'identity',
  });
}

function unsupported(message: string, headers: Record<string, string> = {}): HttpRefusal {
  return new HttpRefusal(new StatusError(Code.INVALID_ARGUMENT, message), {
    httpStatus: 415,
    headers,
  });
}
