import type { ServerResponse } from 'node:http';
import type { ResponseBody } from '../response/response-body.js';

/**
 * Sends a complete response, unless one was sent or the caller is gone. HEAD and 304 get the
 * headers of the body without it.
 */
export function send(res: ServerResponse, status: number, body: ResponseBody | undefined): void {
  if (res.headersSent || res.destroyed) return;
  res.statusCode = status;
  if (body === undefined) {
    res.end();
    return;
  }
  res.setHeader('content-type', body.contentType);
  res.setHeader('content-length', body.bytes.byteLength);
  res.setHeader('x-content-type-options', 'nosniff');
  res.end(res.req.method === 'HEAD' ? undefined : body.bytes);
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
