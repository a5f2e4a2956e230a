import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendResponse } from '@apix/contracts/internal';
import { RPC_CORS, type Middleware } from '@apix/gateway/core';

/** Which pages may read responses. */
export interface CorsOptions {
  /** Origins such as `https://shop.example`; `*` means every origin. */
  readonly origins: readonly string[];
  /** Whether those pages may send cookies and client certificates. */
  readonly credentials: boolean;
}

/** How long browsers cache the answer to a preflight, in seconds; the lowest of the browsers' limits. */
const MAX_AGE_S = 600;

/** Headers that pages cannot read by default; for requests with credentials `*` is only a name (Fetch). */
const EXPOSED = ['ETag', 'Location', 'Retry-After', ...RPC_CORS.exposedHeaders].join(', ');

/** Answers preflights, and sets the headers that let pages read responses (Fetch, section 3.3). */
export function cors({ origins, credentials }: CorsOptions): Middleware {
  const allowed = new Set(origins);
  const isAllowed = (origin: string): boolean => allowed.has('*') || allowed.has(origin);
  return (req, res, next) => {
    // The response differs by origin, so caches must not share it.
    res.appendHeader('vary', 'origin');
    const { origin } = req.headers;
    if (origin === undefined || !isAllowed(origin)) {
      next();
      return;
    }
    res.setHeader('access-control-allow-origin', origin);
    if (credentials) res.setHeader('access-control-allow-credentials', 'true');
    if (isPreflight(req)) answerPreflight(req, res);
    else {
      res.setHeader('access-control-expose-headers', credentials ? EXPOSED : '*');
      next();
    }
  };
}

function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight({ headers }: IncomingMessage, res: ServerResponse): void {
  const { 'access-control-request-headers': asked } = headers;
  res.setHeader('access-control-allow-methods', 'GET, HEAD, POST, PUT, PATCH, DELETE');
  // The gateway decides which headers it accepts, and rejects the others.
  if (asked !== undefined) res.setHeader('access-control-allow-headers', asked);
  res.appendHeader('vary', 'access-control-request-headers');
  res.setHeader('access-control-max-age', String(MAX_AGE_S));
  sendResponse(res, 204, { 'content-length': '0' });
}
