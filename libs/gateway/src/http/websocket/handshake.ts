import type { IncomingMessage } from 'node:http';
import { Code, StatusError } from '@apix/contracts';
import { HttpRefusal, badRequest } from '../../errors.js';

/** Sixteen bytes in base64 (RFC 6455 §4.2.1). */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
/** An entry of a list of subprotocols: a token (RFC 9110 §5.6.2). */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;

/** The subprotocol that announces a token after it, for browsers, which can set no headers. */
export const BEARER = 'bearer';

/** @throws HttpRefusal, 400 or 426, for a request that is not a handshake of RFC 6455. */
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

/**
 * The `Authorization` from `Sec-WebSocket-Protocol: bearer, <token>`; undefined without it.
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
