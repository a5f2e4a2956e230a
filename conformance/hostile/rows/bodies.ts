import { anonymousBodies, costlyBodiesAtSpeed } from '../attacks/anonymous-bodies.js';
import { deepAnonymousQuery, deepQuery } from '../attacks/deep-queries.js';
import { endlessBody } from '../attacks/endless-bodies.js';
import { halfSentBodies } from '../attacks/half-sent-bodies.js';
import { anonymousRpcBodies, rpcBodies } from '../attacks/rpc-bodies.js';
import type { Row } from '../row.js';
import { CONNECT, REST, STREAMS, TOOLS, WEB } from './doors.js';

/**
 * What of SECURITY.md is held to: the longest time for which ten bodies of 4 MB, or of 1 MB, a second, of callers
 * who may not call, hold the loop, in milliseconds; beyond five times that the run fails.
 */
export const HELD_MS = 30;

/** Bodies and queries of callers who may not call, or who never end. */
export const bodies: readonly Row[] = [
  {
    name: 'bad bodies of anonymous callers are refused unread',
    doors: [...REST, ...STREAMS, ...TOOLS],
    attack: anonymousBodies,
    comes: /^401 logged 401$/,
  },
  {
    name: 'bad messages of anonymous callers of Connect and gRPC-Web are refused unread',
    doors: REST,
    attack: anonymousRpcBodies,
    comes: /^UNAUTHENTICATED logged 200$/,
  },
  {
    name: 'bad messages of Connect and gRPC-Web get a status each',
    doors: REST,
    attack: rpcBodies,
    comes: /^as they should$/,
  },
  // Those of 1 MB are the largest that a gateway over a network reads ahead of the server's decision.
  ...[4, 1].map((megabytes) => ({
    name: `ten costly bodies of ${megabytes} MB a second from anonymous callers do not hold the loop`,
    doors: [...REST, ...CONNECT, ...WEB],
    attack: costlyBodiesAtSpeed(megabytes * 1_000_000, 5 * HELD_MS),
    // By gRPC-Web each status is a 200 of HTTP.
    comes: /^(200|401|503)( \| 503)?; loop held for .* within/,
    limitMs: 40_000,
  })),
  {
    name: '500 half-sent bodies of anonymous callers take at most 64 MB',
    doors: [...REST, ...CONNECT, ...WEB, ...TOOLS],
    attack: halfSentBodies,
    // Of a call of a tool the body is read to its end before it is known who may call.
    comes: /^(200|401|408|503)( \| (503|closed))*$/,
    fresh: true,
    growthMb: 64,
    limitMs: 40_000,
  },
  {
    name: 'a parameter 150 messages deep is refused',
    doors: REST,
    attack: deepQuery,
    comes: /^400 logged 400$/,
  },
  {
    name: 'a parameter 150 messages deep of an anonymous caller is refused unread',
    doors: REST,
    attack: deepAnonymousQuery,
    comes: /^401 logged 401$/,
  },
  ...(
    [
      ['401', 'POST', 'Vault/Write', 'application/json', CONNECT],
      ['429', 'POST', 'Porch/Echo', 'application/json', CONNECT],
      ['404', 'POST', 'Porch/Nope', 'application/json', CONNECT],
      ['405', 'PUT', 'Porch/Echo', 'application/json', CONNECT],
      ['415', 'POST', 'Porch/Echo', 'text/plain', CONNECT],
      ['505', 'POST', 'Porch/Talk', 'application/connect+json', CONNECT],
      ['200', 'POST', 'Vault/Write', 'application/grpc-web-text', WEB],
    ] as const
  ).map(([status, verb, method, type, doors]) => ({
    name: `an endless body after a ${status} ends the connection`,
    doors,
    attack: endlessBody(`${verb} /api/strangers.v1.${method}`, `Content-Type: ${type}\r\n`),
    comes: new RegExp(`^${status}, closed$`),
  })),
  ...(
    [
      ['401', 'POST /api/v1/vault', 'Content-Type: application/json\r\n'],
      ['404', 'POST /api/nope', 'Content-Type: application/json\r\n'],
      ['405', 'PUT /api/v1/porch', 'Content-Type: application/json\r\n'],
      ['415', 'POST /api/v1/porch', 'Content-Type: text/plain\r\n'],
      ['400', 'GET /api/v1/porch/a', 'Content-Type: application/json\r\n'],
      ['413', 'POST /api/v1/porch', 'Content-Type: application/json\r\n'],
    ] as const
  ).map(([status, request, headers]) => ({
    name: `an endless body after a ${status} ends the connection`,
    doors: REST,
    attack: endlessBody(request, headers),
    comes: new RegExp(`^${status}, closed$`),
  })),
  ...(
    [
      ['403', 'POST', 'Content-Type: application/json\r\nOrigin: https://evil.example\r\n'],
      ['405', 'PUT', 'Content-Type: application/json\r\n'],
      ['406', 'POST', 'Content-Type: application/json\r\nAccept: application/json;q=0\r\n'],
      ['413', 'POST', 'Content-Type: application/json\r\n'],
      ['415', 'POST', 'Content-Type: text/plain\r\n'],
    ] as const
  ).map(([status, verb, headers]) => ({
    name: `an endless body after a ${status} ends the connection`,
    doors: TOOLS,
    attack: endlessBody(`${verb} /mcp`, headers),
    comes: new RegExp(`^${status}, closed$`),
  })),
];
