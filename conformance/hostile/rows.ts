import { doubleHeader, errorMetadata, tooLargeAnswer } from './attacks/answers.js';
import { anonymousBodies, costlyBodiesAtSpeed } from './attacks/anonymous-bodies.js';
import {
  frozenBackend,
  killedBackend,
  killedStream,
  muteBackend,
  muteStream,
} from './attacks/backends.js';
import { type BadMessage, badMessage } from './attacks/bad-messages.js';
import { badPackets } from './attacks/bad-packets.js';
import { crossSite, sameSite, untypedBody } from './attacks/cross-site.js';
import { deepAnonymousQuery, deepQuery } from './attacks/deep-queries.js';
import { endlessBody } from './attacks/endless-bodies.js';
import { anonymous, faultySubject, keeper, stranger } from './attacks/faulty-subjects.js';
import { continuations, dataAfterGoAway, flood, garbage, oneByteFrames } from './attacks/floods.js';
import { forgedLines, hugeHeader } from './attacks/forged-lines.js';
import { halfSentBodies } from './attacks/half-sent-bodies.js';
import { otherNames, reservedNames } from './attacks/header-names.js';
import { memberNames } from './attacks/member-names.js';
import { nulInPath, oddPaths, unknownOfExempt } from './attacks/paths.js';
import { requestIds } from './attacks/request-ids.js';
import { smuggling } from './attacks/smuggling.js';
import { absoluteTarget, methodOverride, unknownPath } from './attacks/targets.js';
import {
  badKeyServer,
  forgedTokens,
  knownKeysWithoutServer,
  manyCallersOfNoKeyServer,
  unknownKeys,
} from './attacks/tokens.js';
import {
  unreadAnswersOfOne,
  unreadOverGrpc,
  unreadOverWebSocket,
} from './attacks/unread-answers.js';
import { foreignPage, fragments, hugeLength, manyHeaders } from './attacks/web-socket-frames.js';
import type { Row } from './row.js';
import type { Door } from './site.js';

const REST: readonly Door[] = ['REST in-process', 'REST over the network'];
const SOCKETS: readonly Door[] = ['WebSocket', 'WebSocket over the network'];
const STREAMS: readonly Door[] = ['SSE', 'SSE over the network'];
const HTTP: readonly Door[] = [...REST, 'HTTP controller'];
const CALLS: readonly Door[] = ['gRPC', ...REST, ...SOCKETS, ...STREAMS, 'HTTP controller'];
const ALL: readonly Door[] = [...CALLS, 'messages'];

/**
 * What of SECURITY.md is held to: the longest time for which ten bodies of 4 MB a second, of callers
 * who may not call, hold the loop, in milliseconds; beyond five times that the run fails.
 */
const HELD_MS = 100;

/** Over the network a WebSocket may be granted before the denial comes, and is closed then. */
const DENIED =
  /^(401 logged 401|16 logged UNAUTHENTICATED|101 closed 4016 logged 101|.*"err".*"UNAUTHENTICATED".*)$/;
const FORBIDDEN = /^(403 logged 403|7 logged PERMISSION_DENIED|101 closed 4007 logged 101)$/;

/** The app's fault or the caller's: nobody gets in. */
const UNREADABLE =
  /^(401 logged 401|500 logged 500|16 logged UNAUTHENTICATED|13 logged INTERNAL|101 closed 40(13|16) logged 101)$/;

const identity: readonly Row[] = [
  { name: 'anonymous callers are refused', doors: ALL, attack: anonymous, comes: DENIED },
  {
    name: 'callers without the role are refused',
    doors: CALLS,
    attack: stranger,
    comes: FORBIDDEN,
  },
  {
    name: 'a keeper is let in',
    doors: CALLS,
    attack: keeper,
    comes: /^(20[01] logged 20[01]|0 logged OK|101 closed 1000 logged 101)$/,
    enters: true,
  },
  {
    name: 'a subject function that throws lets nobody in',
    doors: CALLS,
    attack: faultySubject('throws'),
    comes: DENIED,
  },
  {
    name: 'a subject function that never settles is given up',
    doors: CALLS,
    attack: faultySubject('hangs'),
    comes: /^(504 logged 504|4 logged DEADLINE_EXCEEDED|101 closed 4004 logged 101)$/,
  },
  {
    name: 'a subject that cannot be read lets nobody in',
    doors: CALLS,
    attack: faultySubject('proxies'),
    comes: UNREADABLE,
  },
  {
    name: 'a subject whose roles never end lets nobody in',
    doors: CALLS,
    attack: faultySubject('endless'),
    comes: UNREADABLE,
  },
  {
    name: 'forged tokens let nobody in, and nothing is fetched for them',
    doors: ['gRPC', ...REST, 'HTTP controller'],
    attack: forgedTokens,
    comes: /^(401 logged 401|16 logged UNAUTHENTICATED); 0 fetches$/,
    enters: true,
  },
  {
    name: '2,000 unknown keys are few fetches',
    doors: ['gRPC'],
    attack: unknownKeys,
    comes: /^16; few fetches$/,
    enters: true,
  },
  {
    name: 'known keys serve on without the key server',
    doors: ['gRPC', 'REST in-process'],
    attack: knownKeysWithoutServer,
    comes: /^(0 logged OK|200 logged 200)$/,
    enters: true,
  },
  ...(['down', 'slow', 'endless', 'redirecting'] as const).map((how) => ({
    name: `a key server that is ${how} is given up`,
    doors: ['gRPC'] as const,
    attack: badKeyServer(how),
    comes: /^(14 logged UNAVAILABLE|4 logged DEADLINE_EXCEEDED)$/,
    fresh: true,
  })),
  {
    name: 'a key server that is down is asked once for many callers',
    doors: ['gRPC'],
    attack: manyCallersOfNoKeyServer,
    comes: /^14; few fetches$/,
    fresh: true,
  },
];

const bodies: readonly Row[] = [
  {
    name: 'bad bodies of anonymous callers are refused unread',
    doors: [...REST, ...STREAMS],
    attack: anonymousBodies,
    comes: /^401 logged 401$/,
  },
  {
    name: 'ten costly bodies of 4 MB a second from anonymous callers do not hold the loop',
    doors: REST,
    attack: costlyBodiesAtSpeed(5 * HELD_MS),
    comes: /^(401|503)( \| 503)?; loop held for .* within/,
    limitMs: 40_000,
  },
  {
    name: '500 half-sent bodies of anonymous callers take at most 64 MB',
    doors: REST,
    attack: halfSentBodies,
    comes: /^(401|503)( \| (503|closed))*$/,
    fresh: true,
    growthMb: 64,
    limitMs: 30_000,
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
];

const pages: readonly Row[] = [
  {
    name: 'requests of a foreign page with a cookie are refused',
    doors: REST,
    attack: crossSite,
    comes: /^refused$/,
  },
  {
    name: 'requests of the own page and of no page are taken',
    doors: REST,
    attack: sameSite,
    comes: /^200 logged 200$/,
    enters: true,
  },
  {
    name: 'a body without a type is refused',
    doors: REST,
    attack: untypedBody,
    comes: /^415 logged 415$/,
  },
  { name: 'a foreign page is refused', doors: SOCKETS, attack: foreignPage, comes: /^403$/ },
  {
    name: 'unknown paths below the mount path can be read by pages',
    doors: REST,
    attack: unknownPath,
    comes: /^404 CORS \*$/,
  },
  {
    name: 'an absolute target is routed by its path, and authorized',
    doors: HTTP,
    attack: absoluteTarget,
    comes: /^200 logged 200; anonymous 401 logged 401$/,
  },
  {
    name: 'a POST stays one',
    doors: REST,
    attack: methodOverride,
    comes: /^405 logged 405$/,
  },
  {
    name: 'metadata by which proxies say who calls is refused',
    doors: REST,
    attack: reservedNames,
    comes: /^refused$/,
  },
  {
    name: 'headers that are not forwarded do not arrive',
    doors: REST,
    attack: otherNames,
    comes: /^the same$/,
  },
  {
    name: 'names of the prototype are data, or refused',
    doors: [...HTTP, 'messages'],
    attack: memberNames,
    comes: /^answered$/,
  },
  {
    name: 'requests with two ends are refused, and end the connection',
    doors: HTTP,
    attack: smuggling,
    comes: /^refused$/,
  },
  {
    name: 'text of a caller is one event a request',
    doors: HTTP,
    attack: forgedLines,
    comes: /^one event$/,
  },
  {
    name: 'a header of 1 MiB ends the connection',
    doors: HTTP,
    attack: hugeHeader,
    comes: /^(431|no answer), closed$/,
  },
  {
    name: 'an answer and its event have one id',
    doors: ['gRPC', ...HTTP],
    attack: requestIds,
    comes: /^one id$/,
  },
];

const answers: readonly Row[] = [
  {
    name: 'the metadata of an error arrives',
    doors: ['gRPC', ...REST],
    attack: errorMetadata,
    comes: /^(9|400) with closed$/,
  },
  {
    name: 'a header that a handler set twice ends in a status',
    doors: ['gRPC', ...REST],
    attack: doubleHeader,
    comes: /^(200 logged 200|500 logged 500|0 logged OK|13 logged INTERNAL)$/,
  },
  {
    name: 'a backend that was killed is 502 or 503',
    doors: ['REST over the network'],
    attack: killedBackend,
    comes: /^50[23]$/,
  },
  {
    name: 'a backend that was killed ends a stream with a status',
    doors: ['SSE over the network'],
    attack: killedStream,
    comes: /^(50[23]|200(UNAVAILABLE|14))$/,
  },
  {
    name: 'a backend that never says a word is given up',
    doors: ['REST over the network'],
    attack: muteBackend,
    comes: /^50[234]$/,
  },
  {
    name: 'a stream of a backend that never says a word ends with a status',
    doors: ['SSE over the network'],
    attack: muteStream,
    comes: /^(50[234]|200(UNAVAILABLE|DEADLINE_EXCEEDED|14|4))$/,
  },
  {
    name: 'a network that carries nothing any more is 503 or 504',
    doors: ['REST over the network'],
    attack: frozenBackend,
    comes: /^50[34]$/,
  },
  {
    name: "an answer beyond the limit of the gateway's client is the server's fault",
    doors: ['REST over the network'],
    attack: tooLargeAnswer,
    comes: /^50[02] logged 50[02]$/,
  },
];

const messages: readonly (readonly [BadMessage, RegExp])[] = [
  ['bomb', /^8 logged RESOURCE_EXHAUSTED$/],
  ['broken gzip', /^13 logged INTERNAL$/],
  ['compressed without an encoding', /^(13 logged INTERNAL|12 logged UNIMPLEMENTED)$/],
  ['unknown encoding', /^12 logged UNIMPLEMENTED$/],
  ['too large', /^8 logged RESOURCE_EXHAUSTED$/],
  ['too large by its prefix', /^8 logged RESOURCE_EXHAUSTED$/],
  ['cut off', /^(\d+) logged [A-Z_]+$/],
  ['undecodable', /^13 logged INTERNAL$/],
  ['an odd flag', /^(0 logged OK|13 logged INTERNAL)$/],
];

const wire: readonly Row[] = [
  ...messages.map(([how, comes]) => ({
    name: `a message that is ${how} gets the status that is logged`,
    doors: ['gRPC'] as const,
    attack: badMessage(how),
    comes,
  })),
  {
    name: 'names that are almost those of a method are unknown',
    doors: ['gRPC'],
    attack: oddPaths,
    comes: /^refused$/,
  },
  {
    name: 'a NUL in a path is refused',
    doors: ['gRPC'],
    attack: nulInPath,
    comes: /^the next call gets 0$/,
  },
  {
    name: 'a method that an exempt service does not have is unknown',
    doors: ['gRPC'],
    attack: unknownOfExempt,
    comes: /^12, and 0 to one that it has$/,
  },
  ...(['rapid resets', 'settings', 'pings', 'window updates of nothing'] as const).map((kind) => ({
    name: `a flood of ${kind} is borne or ended`,
    doors: ['gRPC'] as const,
    attack: flood(kind),
    comes: /^(closed|borne)$/,
  })),
  {
    name: 'headers that never end end the connection',
    doors: ['gRPC'],
    attack: continuations,
    comes: /^closed$/,
  },
  { name: 'garbage ends the connection', doors: ['gRPC'], attack: garbage, comes: /^closed$/ },
  {
    name: 'a body after GOAWAY is borne',
    doors: ['gRPC'],
    attack: dataAfterGoAway,
    comes: /^done$/,
  },
  {
    name: '1 MiB in frames of a byte on 200 streams is borne',
    doors: ['gRPC'],
    attack: oneByteFrames,
    comes: /^done$/,
    growthMb: 64,
  },
  {
    name: 'answers that nobody reads are bounded',
    doors: ['gRPC'],
    attack: unreadOverGrpc,
    comes: /were taken$/,
    fresh: true,
    growthMb: 64,
  },
  {
    name: 'answers that nobody reads are bounded',
    doors: SOCKETS,
    attack: unreadOverWebSocket,
    comes: /were taken$/,
    fresh: true,
    growthMb: 64,
  },
  {
    name: 'answers to one request that nobody reads are bounded',
    doors: ['gRPC', ...STREAMS],
    attack: unreadAnswersOfOne,
    comes: /^done$/,
    fresh: true,
    growthMb: 64,
  },
  {
    name: 'fragments of a byte on 100 sockets are bounded',
    doors: SOCKETS,
    attack: fragments,
    comes: /^(borne|closed)( \| closed)?$/,
  },
  {
    name: 'a frame that announces 2^62 bytes ends the connection',
    doors: SOCKETS,
    attack: hugeLength,
    comes: /^closed$/,
  },
  {
    name: 'a handshake with 2,000 headers is refused',
    doors: SOCKETS,
    attack: manyHeaders,
    comes: /^(400|431)$/,
  },
  {
    name: 'packets that are no messages are refused',
    doors: ['messages'],
    attack: badPackets,
    comes: /^refused$/,
  },
];

// Why: docs/decisions/0195
/** Every attack, and what must come of it. */
export const rows: readonly Row[] = [...identity, ...bodies, ...pages, ...answers, ...wire];
