import type { IncomingMessage, ServerResponse } from 'node:http';
import { codingQuality, isKnownEtag, refusesType } from '@apix/contracts';
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
    res.writeHead(406).end();
    return;
  }
  res.setHeader('content-type', file.contentType);
  if (file.etag !== undefined) {
    res.setHeader('etag', file.etag);
    if (isKnownEtag(req.headers['if-none-match'], file.etag)) {
      res.writeHead(304).end();
      return;
    }
  }
  const { bytes, encoding } = chooseEncoding(file, req);
  if (file.gzipped !== undefined) res.setHeader('vary', 'accept-encoding');
  if (encoding !== undefined) res.setHeader('content-encoding', encoding);
  res.setHeader('content-length', bytes.byteLength);
  res.writeHead(200).end(req.method === 'HEAD' ? undefined : bytes);
}

function chooseEncoding(
  { bytes, gzipped }: SiteFile,
  req: IncomingMessage,
): { readonly bytes: Uint8Array; readonly encoding?: 'gzip' } {
  const isAccepted = codingQuality(req.headers['accept-encoding'], 'gzip') > 0;
  return isAccepted && gzipped !== undefined ? { bytes: gzipped, encoding: 'gzip' } : { bytes };
}

/** The path that the browser requested, before any router shortened it. */
export function requestedPath(req: IncomingMessage): string {
  return pathOfTarget((req as { originalUrl?: string }).originalUrl ?? req.url ?? '/');
}

/** The path of a request target, also in absolute-form, which servers must accept (RFC 9112 §3.2.2). */
export function pathOfTarget(target: string): string {
  const [path = ''] = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').split('?', 1);
  return path === '' ? '/' : path;
}
