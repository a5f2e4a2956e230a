import {
  halfClosed,
  manyMisuses,
  partialHandshakes,
  renegotiation,
  slowPreface,
  tooManyConnections,
} from '../attacks/connections.js';
import { FLOODS } from '../attacks/flood-kinds.js';
import { continuations, dataAfterGoAway, flood, garbage } from '../attacks/floods.js';
import {
  endlessNumber,
  endlessPadding,
  endlessTrailers,
  headerBombs,
  tableThrash,
  trailersAgain,
} from '../attacks/header-blocks.js';
import type { Row } from '../row.js';
import { HTTP2 } from './doors.js';

const TLS = ['gRPC with certificates'] as const;

/** Frames, header blocks and handshakes that no client of HTTP/2 needs. */
export const http2: readonly Row[] = [
  ...Object.keys(FLOODS).map((kind) => ({
    name: `a flood of ${kind} is borne or ended`,
    doors: HTTP2,
    attack: flood(kind),
    comes: /^(closed|borne)$/,
  })),
  {
    name: 'headers that never end end the connection',
    doors: HTTP2,
    attack: continuations,
    comes: /^closed$/,
  },
  { name: 'garbage ends the connection', doors: HTTP2, attack: garbage, comes: /^closed$/ },
  {
    name: 'a body after GOAWAY is borne',
    doors: HTTP2,
    attack: dataAfterGoAway,
    comes: /^done$/,
  },
  {
    name: 'headers that grow a thousandfold are bounded',
    doors: HTTP2,
    attack: headerBombs,
    comes: /^(closed|borne)$/,
    growthMb: 64,
  },
  {
    name: 'a table of headers that is emptied and filled by each call is borne or ended',
    doors: ['gRPC'],
    attack: tableThrash,
    comes: /^(closed|borne)$/,
    growthMb: 64,
  },
  {
    name: 'a number of HPACK that never ends ends the connection',
    doors: HTTP2,
    attack: endlessNumber,
    comes: /^(closed|borne)$/,
  },
  {
    name: 'a text of HPACK that is all padding ends the connection',
    doors: HTTP2,
    attack: endlessPadding,
    comes: /^(closed|borne)$/,
  },
  {
    name: 'trailers that never end end the connection',
    doors: HTTP2,
    attack: endlessTrailers,
    comes: /^closed$/,
  },
  {
    name: 'trailers after trailers are borne or ended',
    doors: HTTP2,
    attack: trailersAgain,
    comes: /^(closed|borne)$/,
  },
  {
    name: 'calls whose client closes its half of the connection are over',
    doors: ['gRPC'],
    attack: halfClosed,
    comes: /^(closed|borne)$/,
  },
  {
    name: 'a preface that takes its time holds up nobody',
    doors: ['gRPC'],
    attack: slowPreface,
    comes: /^closed$/,
    limitMs: 20_000,
  },
  {
    name: 'handshakes that do not end hold up nobody',
    doors: TLS,
    attack: partialHandshakes,
    comes: /^closed; meanwhile OK$/,
    limitMs: 30_000,
    enters: true,
  },
  {
    name: 'connections above the limit are closed, and no others',
    doors: TLS,
    attack: tooManyConnections,
    comes: /^1\d\d of 400 closed; then OK$/,
    enters: true,
  },
  {
    name: 'handshake after handshake on one connection is refused',
    doors: TLS,
    attack: renegotiation,
    comes: /^refused$/,
  },
  {
    name: 'connections that are ended for what their clients do are one line of the log',
    doors: ['gRPC'],
    attack: manyMisuses,
    comes: /^(0 lines where 0|1 lines where 1) is right$/,
    limitMs: 40_000,
  },
];
