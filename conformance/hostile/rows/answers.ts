import { doubleHeader, errorMetadata, tooLargeAnswer } from '../attacks/answers.js';
import {
  frozenBackend,
  killedBackend,
  killedStream,
  muteBackend,
  muteStream,
} from '../attacks/backends.js';
import type { Row } from '../row.js';
import { REST, RPC, TOOLS } from './doors.js';

/** What handlers and backends answer. */
export const answers: readonly Row[] = [
  {
    name: 'the metadata of an error arrives',
    doors: ['gRPC', ...REST, ...RPC],
    attack: errorMetadata,
    comes: /^(9|400) with closed$/,
  },
  {
    name: 'a header that a handler set twice ends in a status',
    doors: ['gRPC', ...REST, ...RPC, ...TOOLS],
    attack: doubleHeader,
    comes: /^(200 logged 200|500 logged 500|0 logged (OK|200)|13 logged (INTERNAL|200))$/,
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
    doors: ['REST over the network', 'Connect over the network'],
    attack: tooLargeAnswer,
    comes: /^50[02] logged 50[02]$/,
  },
  {
    name: 'an answer that is too large for a tool is a failure of the call',
    doors: TOOLS,
    attack: tooLargeAnswer,
    comes: /^INTERNAL logged 200$/,
  },
];
