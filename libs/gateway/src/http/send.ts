import type { ServerResponse } from 'node:http';
import { endResponse } from '@apix/contracts';
import type { ResponseBody } from '../response/response-body.js';
import { closeLater } from '../patches/close-connection.js';

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

/**
 * Call before the headers of an answer are sent: if its request is incomplete, no more of it is read than a
 * client needs to see the answer, and the connection ends with it (RFC 9112 §9.6). A stream of HTTP/2 is left
 * when the response ends: see `endResponse`.
 */
export function closeUnlessComplete(res: ServerResponse): void {
  const { req } = res;
  // A request that was made up, for a test of an app, does not have it.
  const { complete }: { readonly complete: boolean | undefined } = req;
  if ((complete ?? true) || req.httpVersionMajor >= 2) return;
  const given = res.getHeader('connection');
  res.setHeader('connection', given === undefined ? 'close' : `${String(given)}, close`);
  closeLater(req);
}
