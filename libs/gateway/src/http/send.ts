import type { ServerResponse } from 'node:http';
import { closeUnlessComplete } from '@apix/calls/internal';
import { endResponse } from '@apix/contracts';
import type { ResponseBody } from '../response/response-body.js';

/** On a response that is to leave at the end of this turn. */
const LEAVING = Symbol('leaving');

type Leaving = ServerResponse & { [LEAVING]?: true };

/** Whether a request has its response, from whomever, sent or about to be. */
export function hasAnswer(res: ServerResponse): boolean {
  return res.headersSent || (res as Leaving)[LEAVING] === true;
}

/**
 * Sends a complete response, unless one was sent or the caller has disconnected. HEAD and 304 get the
 * headers of the body without it. It is sent at the end of this turn of the event loop, with all others of
 * the turn: sending each one immediately takes half as long again.
 */
export function send(res: ServerResponse, status: number, body: ResponseBody | undefined): void {
  if (hasAnswer(res) || res.destroyed) return;
  (res as Leaving)[LEAVING] = true;
  res.statusCode = status;
  if (body === undefined) {
    setImmediate(end, res, undefined);
    return;
  }
  res.setHeader('content-type', body.contentType);
  res.setHeader('content-length', body.bytes.byteLength);
  res.setHeader('x-content-type-options', 'nosniff');
  // Why: docs/decisions/0035
  setImmediate(end, res, body.bytes);
}

function end(res: ServerResponse, bytes: Uint8Array | undefined): void {
  if (res.headersSent) return;
  closeUnlessComplete(res);
  endResponse(res, bytes);
}

/** Sets response headers; a list sends the header once for each value. */
export function setHeaders(
  res: ServerResponse,
  headers: Iterable<readonly [name: string, value: string | string[]]>,
): void {
  for (const [name, value] of headers) {
    if (typeof value === 'string' || value.length > 0) res.setHeader(name, value);
  }
}
