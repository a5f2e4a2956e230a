import type { ServerResponse } from 'node:http';
import { closeLater } from '../patches/linger.js';

/**
 * Call before the headers of an answer are sent: if its request is incomplete, no more of it is read than a
 * client needs to see the answer, and the connection ends with it (RFC 9112 §9.6). A stream of HTTP/2 is left
 * when the response ends: see `endResponse`.
 */
export function leaveUnread(res: ServerResponse): void {
  const { req } = res;
  // A request that was made up, for a test of an app, does not have it.
  const { complete }: { readonly complete: boolean | undefined } = req;
  if ((complete ?? true) || req.httpVersionMajor >= 2) return;
  const given = res.getHeader('connection');
  res.setHeader('connection', given === undefined ? 'close' : `${String(given)}, close`);
  closeLater(req);
}
