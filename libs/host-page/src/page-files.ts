import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendResponse, isKnownEtag, refusesType } from '@apix/contracts/internal';
// Why: docs/decisions/0062
import { PAGE_CSS, PAGE_HTML, PAGE_ICON, PAGE_JS } from './gen/assets.js';

/** A file of the page. */
export interface PageFile {
  readonly contentType: string;
  readonly text: string;
  readonly etag: string;
}

/** The files next to the page, by name. */
export const PAGE_FILES: ReadonlyMap<string, PageFile> = new Map([
  ['page.js', fileOf('text/javascript; charset=utf-8', PAGE_JS)],
  ['page.css', fileOf('text/css; charset=utf-8', PAGE_CSS)],
  ['icon.svg', fileOf('image/svg+xml', PAGE_ICON)],
]);

/** Allows scripts, styles and connections of this host only; no forms, no frames. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The page for a request of this path: without a trailing slash, the files are below its
 * last segment.
 */
export function pageFile(title: string, path: string): PageFile {
  const last = path.slice(path.lastIndexOf('/') + 1);
  const folder = last === '' ? './' : `./${last}/`;
  const html = PAGE_HTML.replaceAll('{{title}}', () => escapeHtml(title)).replaceAll(
    '{{folder}}',
    () => escapeHtml(folder),
  );
  return fileOf('text/html; charset=utf-8', html);
}

export function sendPageFile(
  { contentType, text, etag }: PageFile,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  response.setHeader('content-security-policy', POLICY);
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('referrer-policy', 'no-referrer');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-cache');
  response.setHeader('etag', etag);
  if (refusesType(request.headers.accept, contentType)) {
    sendResponse(response, 406);
    return;
  }
  if (isKnownEtag(request.headers['if-none-match'], etag)) {
    sendResponse(response, 304);
    return;
  }
  response.setHeader('content-type', contentType);
  response.setHeader('content-length', Buffer.byteLength(text));
  sendResponse(response, 200, {}, text);
}

const DATA_TYPE = 'application/json; charset=utf-8';

/** Sends JSON that must not be cached. */
export function sendPageData(text: string, response: ServerResponse): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cross-origin-resource-policy', 'same-origin');
  response.setHeader('cache-control', 'no-store');
  if (refusesType(response.req.headers.accept, DATA_TYPE)) {
    sendResponse(response, 406);
    return;
  }
  response.setHeader('content-type', DATA_TYPE);
  response.setHeader('content-length', Buffer.byteLength(text));
  sendResponse(response, 200, {}, text);
}

function fileOf(contentType: string, text: string): PageFile {
  const hash = process
    .getBuiltinModule('node:crypto')
    .createHash('sha256')
    .update(text)
    .digest('base64url');
  return { contentType, text, etag: `"${hash.slice(0, 16)}"` };
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
