import { type BadMessage, badMessage } from '../attacks/bad-messages.js';
import { badPackets } from '../attacks/bad-packets.js';
import { comeAndGo, unreadable } from '../attacks/callers-gone.js';
import { oneByteFrames } from '../attacks/floods.js';
import { nulInPath, oddPaths, oddRpcPaths, unknownOfExempt } from '../attacks/paths.js';
import { traceContexts } from '../attacks/trace-contexts.js';
import {
  unreadAnswersOfOne,
  unreadOverGrpc,
  unreadOverWebSocket,
} from '../attacks/unread-answers.js';
import { fragments, hugeLength, manyHeaders } from '../attacks/web-socket-frames.js';
import type { Row } from '../row.js';
import { CONNECT, HTTP, HTTP2, REST, RPC, SOCKETS, STREAMS, TOOLS, WEB } from './doors.js';

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

/** The same through the gateway, which knows whose mistake it is, and whose answers are all a 200 of HTTP. */
const shared: readonly (readonly [BadMessage, number])[] = [
  ['bomb', 8],
  ['broken gzip', 3],
  ['compressed without an encoding', 13],
  ['unknown encoding', 12],
  ['too large', 8],
  ['too large by its prefix', 8],
  ['cut off', 3],
  ['undecodable', 3],
  ['an odd flag', 3],
];

/** What the wire carries: messages, frames, floods, and answers that nobody reads. */
export const wire: readonly Row[] = [
  ...messages.map(([how, comes]) => ({
    name: `a message that is ${how} gets the status that is logged`,
    doors: ['gRPC'] as const,
    attack: badMessage(how),
    comes,
  })),
  ...shared.map(([how, code]) => ({
    name: `a message that is ${how} gets the status that is logged`,
    doors: ['gRPC on the shared port'] as const,
    attack: badMessage(how),
    comes: new RegExp(`^${code} logged 200$`),
  })),
  {
    name: 'names that are almost those of a method are unknown',
    doors: HTTP2,
    attack: oddPaths,
    comes: /^refused$/,
  },
  {
    name: 'names that are almost those of a method are unknown',
    doors: [...CONNECT, ...WEB],
    attack: oddRpcPaths,
    comes: /^refused$/,
  },
  {
    name: 'a NUL in a path is refused',
    doors: HTTP2,
    attack: nulInPath,
    comes: /^the next call gets 0$/,
  },
  {
    name: 'a method that an exempt service does not have is unknown',
    doors: ['gRPC'],
    attack: unknownOfExempt,
    comes: /^12, and 0 to one that it has$/,
  },
  {
    name: '1 MiB in frames of a byte on 200 streams is borne',
    doors: HTTP2,
    attack: oneByteFrames,
    comes: /^done$/,
    growthMb: 64,
  },
  {
    name: 'answers that nobody reads are bounded',
    doors: HTTP2,
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
    doors: ['gRPC', ...STREAMS, ...RPC, ...TOOLS],
    attack: unreadAnswersOfOne,
    comes: /^done$/,
    fresh: true,
    growthMb: 64,
  },
  {
    name: 'callers who come and go end the call of nobody else',
    doors: [...STREAMS, ...SOCKETS, ...CONNECT, ...WEB, ...TOOLS],
    attack: comeAndGo,
    comes: /^the other goes on$/,
    limitMs: 60_000,
  },
  {
    name: 'requests that cannot be read end the call of nobody else',
    doors: [...REST, ...CONNECT, ...TOOLS],
    attack: unreadable,
    comes: /^400; the other goes on$/,
    limitMs: 60_000,
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
    name: 'trace contexts that are forged change nothing',
    doors: ['gRPC', ...HTTP, ...RPC, ...SOCKETS, ...TOOLS],
    attack: traceContexts,
    comes: /^(20[01] logged 20[01]|0 logged (OK|200)|101 closed 1000 logged 101)$/,
  },
  {
    name: 'packets that are no messages are refused',
    doors: ['messages'],
    attack: badPackets,
    comes: /^refused$/,
  },
];
