import type { IncomingMessage } from 'node:http';
import { Code, type Mistakes, StatusError, shownValue } from '@apix/contracts';
import { HttpRefusal, badRequest, quotedInput } from '../../errors.js';

/**
 * Which web pages may connect. Browsers let a page of any origin open a WebSocket, CORS or not,
 * and say where it came from in `Origin`. `same`: pages of the host that they connect to.
 */
export type AllowedOrigins = 'same' | 'any' | readonly string[] | ((origin: string) => boolean);

/** Sixteen bytes in base64 (RFC 6455 §4.2.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** What can stand in a list of subprotocols: a token (RFC 9110 §5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The subprotocol that announces a token after it, for browsers, which can set no headers. */
export const BEARER = 'bearer';

/** Notes what is wrong with the option that says which web pages may connect. */
export function checkOrigins(where: string, allowed: unknown, mistakes: Mistakes): void {
  if (allowed === 'same' || allowed === 'any' || typeof allowed === 'function') return;
  if (!Array.isArray(allowed)) {
    const given = shownValue(allowed);
    mistakes.add(where, `must be "same", "any", a list of origins or a function, not ${given}`);
    return;
  }
  for (const origin of allowed as readonly unknown[]) {
    // As browsers send it: a slash at the end, say, would never match.
    if (isOrigin(origin)) continue;
    mistakes.add(where, `${shownValue(origin)} is not an origin such as "https://example.com"`);
  }
}

function isOrigin(text: unknown): boolean {
  // What browsers send for pages without an origin of their own, such as those of files.
  if (text === 'null') return true;
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return text === `${protocol}//${host}` && host !== '';
}

/** @throws HttpRefusal, 400 or 426, for what is no handshake of RFC 6455. */
export function assertHandshake(req: IncomingMessage): void {
  const { 'sec-websocket-key': key, 'sec-websocket-version': version } = req.headers;
  if (req.method !== 'GET') throw badRequest('a WebSocket handshake must be a GET request');
  if (version !== '13') {
    const error = new StatusError(Code.INVALID_ARGUMENT, 'WebSocket version: only 13 is supported');
    const headers = { upgrade: 'websocket', 'sec-websocket-version': '13' };
    throw new HttpRefusal(error, { httpStatus: 426, headers });
  }
  if (key === undefined || !KEY.test(key)) {
    throw badRequest('header Sec-WebSocket-Key must be sixteen bytes in base64');
  }
}

/** @throws HttpRefusal, 403, for a page of an origin that is not allowed. */
export function assertOrigin(req: IncomingMessage, allowed: AllowedOrigins): void {
  const { origin } = req.headers;
  // Only browsers send it, and they always do.
  if (origin === undefined || isAllowed(origin, req.headers.host ?? '', allowed)) return;
  throw new HttpRefusal(
    new StatusError(Code.PERMISSION_DENIED, `pages of ${quotedInput(origin)} may not connect`),
  );
}

function isAllowed(origin: string, host: string, allowed: AllowedOrigins): boolean {
  // A promise, of an async function, is not a yes.
  if (typeof allowed === 'function') return (allowed(origin) as unknown) === true;
  if (typeof allowed !== 'string') return allowed.includes(origin);
  return allowed === 'any' || (URL.canParse(origin) && new URL(origin).host === host);
}

/**
 * The `Authorization` that `Sec-WebSocket-Protocol: bearer, <token>` stands for; undefined
 * without it.
 *
 * @throws HttpRefusal, 401, for a token that is missing, malformed or a second one.
 */
export function bearerOf(req: IncomingMessage): string | undefined {
  const offered = subprotocols(req);
  const at = offered.indexOf(BEARER);
  if (at === -1) return undefined;
  const token = offered[at + 1];
  if (token === undefined || !TOKEN.test(token)) {
    throw unauthenticated('the subprotocol "bearer" must be followed by a token');
  }
  if (req.headers.authorization !== undefined) {
    throw unauthenticated('a token is given both in Authorization and as a subprotocol');
  }
  return `Bearer ${token}`;
}

function subprotocols(req: IncomingMessage): string[] {
  return (req.headers['sec-websocket-protocol'] ?? '').split(',').map((it) => it.trim());
}

function unauthenticated(message: string): HttpRefusal {
  return new HttpRefusal(new StatusError(Code.UNAUTHENTICATED, message));
}
