import { costlyBodiesAtSpeed, costlyEnvelopesAtSpeed } from '../attacks/anonymous-bodies.js';
import {
  floodOfSessions,
  foreignHosts,
  guessedSessions,
  listsOfFaultySubjects,
  sessionOfAnother,
  slowBodies,
} from '../attacks/tool-callers.js';
import {
  badArguments,
  badEnvelopes,
  forgedFacts,
  gigabyte,
  headersThatDisagree,
  smuggledMetadata,
} from '../attacks/tool-messages.js';
import type { Row } from '../row.js';
import { HELD_MS } from './bodies.js';
import { TOOLS } from './doors.js';

/** What only a server of tools has: messages of its protocol, sessions and lists. */
export const tools: readonly Row[] = [
  {
    name: 'a gigabyte of arguments is not taken',
    doors: TOOLS,
    attack: gigabyte,
    comes: /^413, few MB$/,
    growthMb: 64,
    limitMs: 30_000,
  },
  {
    name: 'messages that two readers read in two ways are refused',
    doors: TOOLS,
    attack: badEnvelopes,
    comes: /^refused$/,
  },
  {
    name: 'arguments that are not those of the tool call nothing',
    doors: TOOLS,
    attack: badArguments,
    comes: /^INVALID_ARGUMENT logged 200$/,
  },
  {
    name: 'headers that disagree with the body are refused',
    doors: TOOLS,
    attack: headersThatDisagree,
    comes: /^refused$/,
  },
  {
    name: 'metadata in messages does not arrive as metadata of the call',
    doors: TOOLS,
    attack: smuggledMetadata,
    comes: /^none arrives$/,
  },
  {
    name: 'text of a caller in messages is one event a request',
    doors: TOOLS,
    attack: forgedFacts,
    comes: /^one event$/,
  },
  {
    name: 'hosts and pages of others are refused',
    doors: TOOLS,
    attack: foreignHosts,
    comes: /^refused$/,
  },
  {
    name: 'the session of another caller does not exist',
    doors: TOOLS,
    attack: sessionOfAnother,
    comes: /^refused; its caller gets 200$/,
  },
  {
    name: 'sessions that are guessed do not exist',
    doors: TOOLS,
    attack: guessedSessions,
    comes: /^refused$/,
  },
  {
    name: '4,000 sessions of a stranger end the session of nobody else',
    doors: TOOLS,
    attack: floodOfSessions,
    comes: /^200; the keeper's session goes on$/,
    limitMs: 60_000,
  },
  {
    name: 'a list has nothing of the vault for who may not call it',
    doors: TOOLS,
    attack: listsOfFaultySubjects,
    comes: /^nothing of the vault; a keeper has it$/,
  },
  {
    name: 'bodies of a byte at a time are given up',
    doors: TOOLS,
    attack: slowBodies,
    comes: /^408, closed$/,
  },
  {
    name: 'ten costly arguments of 1 MB a second from anonymous callers do not hold the loop',
    doors: TOOLS,
    attack: costlyBodiesAtSpeed(1_000_000, 5 * HELD_MS),
    comes: /^400 \| 401; loop held for .* within/,
    limitMs: 40_000,
  },
  {
    name: 'ten costly messages of 1 MB a second from anonymous callers do not hold the loop',
    doors: TOOLS,
    attack: costlyEnvelopesAtSpeed(1_000_000, 5 * HELD_MS),
    comes: /^400; loop held for .* within/,
    limitMs: 40_000,
  },
];
