import type { ElasticConfig } from './config/elastic-config.js';
import type { Behaviour, StubElasticsearch } from './stub-elasticsearch.fixture.js';

export const LOGGED = 10;
/** 10 events are batches of 4, 4 and 2. */
export const SETTINGS = {
  index: 'logs',
  batchSize: 4,
  concurrency: 1,
  maxRetries: 1,
  retryDelay: 1,
  timeout: 7_777,
};
export const NOTHING = { sent: 0, failed: 0, dropped: 0, queued: 0, spooled: 0 };

type Counts = Partial<typeof NOTHING>;
type Behave = StubElasticsearch['behave'];

/** What a cluster does, and what becomes of the events. */
export interface Outage {
  readonly what: string;
  /** Undefined: no one listens. */
  readonly behave?: Behave;
  readonly config?: Partial<ElasticConfig>;
  /** Where the events are in the end. */
  readonly memory: Counts;
  /** The same with a spool. */
  readonly spool: Counts;
  /** How many requests came, without a spool. */
  readonly requests: number;
}

const always =
  (behaviour: Behaviour): Behave =>
  () =>
    behaviour;
const once =
  (behaviour: Behaviour): Behave =>
  (_, number) =>
    number === 0 ? behaviour : { kind: 'take' };
export const refusing = (status: number): Behaviour => ({ kind: 'refuse', status });
const saying = (body: string): Behaviour => ({ kind: 'say', status: 200, body });

export const OUTAGES: readonly Outage[] = [
  {
    what: 'no outage',
    behave: always({ kind: 'take' }),
    memory: { sent: 10 },
    spool: { sent: 10 },
    requests: 3,
  },
  { what: 'connection refused', memory: { failed: 10 }, spool: { spooled: 10 }, requests: 0 },
  {
    what: 'reset in the middle of each reply',
    behave: always({ kind: 'reset' }),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 6,
  },
  {
    what: 'reset once',
    behave: once({ kind: 'reset' }),
    memory: { sent: 10 },
    spool: { sent: 10 },
    requests: 4,
  },
  {
    what: 'black hole',
    behave: always({ kind: 'black hole' }),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 6,
  },
  {
    what: 'black hole once',
    behave: once({ kind: 'black hole' }),
    memory: { sent: 10 },
    spool: { sent: 10 },
    requests: 4,
  },
  {
    what: '401',
    behave: always(refusing(401)),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 3,
  },
  {
    what: '403',
    behave: always(refusing(403)),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 3,
  },
  {
    what: '403 for some events of a request',
    behave: always({ kind: 'take', statusOf: ({ n }) => (Number(n) > 6 ? 403 : 201) }),
    memory: { sent: 7, failed: 3 },
    spool: { sent: 7, spooled: 3 },
    requests: 3,
  },
  {
    what: '413 for more than two events',
    behave: ({ events }) => (events.length > 2 ? refusing(413) : { kind: 'take' }),
    memory: { sent: 10 },
    spool: { sent: 10 },
    requests: 7,
  },
  {
    what: '413 for one event',
    behave: ({ events }) => (events.some(({ n }) => n === 5) ? refusing(413) : { kind: 'take' }),
    memory: { sent: 9, failed: 1 },
    spool: { sent: 9, failed: 1 },
    requests: 7,
  },
  {
    what: '429 of the whole request',
    behave: always(refusing(429)),
    memory: { failed: 10 },
    spool: { failed: 10 },
    requests: 3,
  },
  {
    what: '503',
    behave: always(refusing(503)),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 6,
  },
  {
    what: '503 once',
    behave: once(refusing(503)),
    memory: { sent: 10 },
    spool: { sent: 10 },
    requests: 4,
  },
  {
    what: '302',
    behave: always(refusing(302)),
    memory: { failed: 10 },
    spool: { failed: 10 },
    requests: 3,
  },
  {
    what: 'invalid JSON',
    behave: always(saying('<html>welcome</html>')),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 6,
  },
  {
    what: 'a reply with too few items',
    behave: always(saying('{"took":1,"errors":true,"items":[{"index":{"status":201}}]}')),
    memory: { failed: 10 },
    spool: { spooled: 10 },
    requests: 6,
  },
  {
    what: 'events that are refused one by one',
    behave: always({ kind: 'take', statusOf: ({ n }) => (Number(n) % 3 === 0 ? 400 : 201) }),
    memory: { sent: 6, failed: 4 },
    spool: { sent: 6, failed: 4 },
    requests: 3,
  },
  {
    what: 'events that the node was too busy for, once',
    behave: ({ events }, number) => ({
      kind: 'take',
      statusOf: ({ n }) =>
        number === 0 && Number(n) % 2 === 1 ? 429 : events.length > 0 ? 201 : 0,
    }),
    memory: { sent: 10 },
    spool: { sent: 10 },
    requests: 4,
  },
  {
    what: 'events that the node is always too busy for',
    behave: always({ kind: 'take', statusOf: ({ n }) => (n === 1 || n === 9 ? 503 : 201) }),
    memory: { sent: 8, failed: 2 },
    spool: { sent: 3, spooled: 7 },
    requests: 5,
  },
  {
    what: 'a queue that is too short',
    behave: always({ kind: 'take' }),
    config: { queueSize: 6 },
    memory: { sent: 6, dropped: 4 },
    spool: { sent: 10 },
    requests: 2,
  },
  {
    what: 'a queue that has too few bytes',
    behave: always({ kind: 'take' }),
    config: { queueBytes: 40 },
    memory: { sent: 2, dropped: 8 },
    spool: { sent: 10 },
    requests: 1,
  },
];
