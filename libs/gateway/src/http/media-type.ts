import type { IncomingMessage } from 'node:http';
import { Code, StatusError } from '@apix/contracts';
import { HttpRefusal, quotedInput } from '../errors.js';

const JSON_TYPE = /^(?:application\/(?:[\w!#$&^.+-]+\+)?json|text\/json)$/;

/**
 * Refuses a body that is not JSON by its Content-Type; one without a type is taken for JSON.
 *
 * @throws HttpRefusal, 415 with `Accept-Post` or `Accept-Patch`, or for a content coding.
 */
export function assertJson(req: IncomingMessage): void {
  const type = req.headers['content-type'] ?? '';
  const essence = type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (essence !== '' && !JSON_TYPE.test(essence)) {
    throw unsupported(`content type ${quotedInput(essence)}: send application/json`, {
      [req.method === 'PATCH' ? 'accept-patch' : 'accept-post']: 'application/json',
    });
  }
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw unsupported(`charset ${quotedInput(charset)}: send UTF-8`);
  }
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
