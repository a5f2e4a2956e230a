import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import { closeLater } from '../patches/linger.js';

/**
 * Call before the headers of an answer are sent: if its request is incomplete, no more of it is read than a
 * client needs to see the answer. The connection ends with it (RFC 9112 §9.6), or the stream of HTTP/2 with
 * NO_ERROR (RFC 9113 §8.1).
 */
export function leaveUnread(res: ServerResponse): void {
  const { req } = res;
  // A request that was made up, for a test of an app, does not have it.
  const { complete }: { readonly complete: boolean | undefined } = req;
  if (complete ?? true) return;
  if (req.httpVersionMajor >= 2) {
    resetAfter(res as unknown as Http2ServerResponse);
    return;
  }
  const given = res.getHeader('connection');
  res.setHeader('connection', given === undefined ? 'close' : `${String(given)}, close`);
  closeLater(req);
}

function resetAfter(res: Http2ServerResponse): void {
  const { stream } = res;
  if (stream.endAfterHeaders) return;
  const { constants } = process.getBuiltinModule('node:http2');
  stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
}
