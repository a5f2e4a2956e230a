import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendResponse, codingQuality, isKnownEtag, refusesType } from '@apix/contracts/internal';
import type { SiteFile } from '../site.js';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

/** Sends a file of a docs page. */
export function sendFile(file: SiteFile, req: IncomingMessage, res: ServerResponse): void {
  for (const [header, value] of Object.entries(HEADERS)) res.setHeader(header, value);
  if (file.policy !== undefined) res.setHeader('content-security-policy', file.policy);
  if (refusesType(req.headers.accept, file.contentType)) {
    sendResponse(res, 406);
    return;
  }
  res.setHeader('content-type', file.contentType);
  if (file.etag !== undefined) {
    res.setHeader('etag', file.etag);
    if (isKnownEtag(req.headers['if-none-match'], file.etag)) {
      sendResponse(res, 304);
      return;
    }
  }
  const { bytes, encoding } = chooseEncoding(file, req);
  if (file.gzipped !== undefined) res.setHeader('vary', 'accept-encoding');
  if (encoding !== undefined) res.setHeader('content-encoding', encoding);
  res.setHeader('content-length', bytes.byteLength);
  sendResponse(res, 200, {}, bytes);
}

function chooseEncoding(
  { bytes, gzipped }: SiteFile,
  req: IncomingMessage,
): { readonly bytes: Uint8Array; readonly encoding?: 'gzip' } {
  const isAccepted = codingQuality(req.headers['accept-encoding'], 'gzip') > 0;
  return isAccepted && gzipped !== undefined ? { bytes: gzipped, encoding: 'gzip' } : { bytes };
}
