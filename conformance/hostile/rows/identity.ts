import { certificates } from '../attacks/certificates.js';
import { anonymous, faultySubject, keeper, stranger } from '../attacks/faulty-subjects.js';
import {
  badKeyServer,
  forgedTokens,
  knownKeysWithoutServer,
  manyCallersOfNoKeyServer,
  unknownKeys,
} from '../attacks/tokens.js';
import type { Row } from '../row.js';
import { REST, RPC, CALLS, ALL, TOOLS } from './doors.js';

/** Over the network a WebSocket may be granted before the denial comes, and is closed then. */
const DENIED =
  /^(401 logged 401|16 logged (UNAUTHENTICATED|200)|101 closed 4016 logged 101|.*"err".*"UNAUTHENTICATED".*)$/;
const FORBIDDEN =
  /^(403 logged 403|PERMISSION_DENIED logged 200|7 logged (PERMISSION_DENIED|200)|101 closed 4007 logged 101)$/;

/** The app's fault or the caller's: nobody gets in. */
const UNREADABLE =
  /^(401 logged 401|500 logged 500|INTERNAL logged 200|16 logged (UNAUTHENTICATED|200)|13 logged (INTERNAL|200)|101 closed 40(13|16) logged 101)$/;

/** Who calls, and who says so. */
export const identity: readonly Row[] = [
  {
    name: 'certificates with a mangled name have no role',
    doors: ['gRPC with certificates'],
    attack: certificates,
    comes: /^keeper of 13$/,
    enters: true,
  },
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
    comes: /^(20[01] logged 20[01]|0 logged (OK|200)|101 closed 1000 logged 101)$/,
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
    comes:
      /^(504 logged 504|DEADLINE_EXCEEDED logged 200|4 logged (DEADLINE_EXCEEDED|200)|101 closed 4004 logged 101)$/,
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
    doors: ['gRPC', ...REST, ...RPC, ...TOOLS, 'HTTP controller'],
    attack: forgedTokens,
    comes: /^(401 logged 401|16 logged (UNAUTHENTICATED|200)); 0 fetches$/,
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
