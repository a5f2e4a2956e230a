import { type CallStage, Code, type StagedCall } from '@apix/contracts';
import type { Metadata } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import type { ClientInit } from '../client/create-client.js';
import {
  type ProbeHandlers,
  type ProbeService,
  TRANSPORTS,
  failureOfCall,
  probeClient,
  serveProbe,
} from '../client/probe-service.fixture.js';

type Respond = Parameters<NonNullable<ProbeHandlers['Unary']>>[1];

interface Seen {
  readonly metadata: Metadata;
  readonly leftMs: number;
  cancelled: boolean;
}

/** A front that calls a back for each call, and what the back sees of it. */
async function twoServers(
  transport: (typeof TRANSPORTS)[number],
  init: ClientInit<ProbeService> = {},
  { stages = [], hangs = false, own = {} }: Setup = {},
) {
  const seen: Seen[] = [];
  const back = await serveProbe({
    Unary: (call, respond) => {
      const { metadata } = call;
      const one: Seen = {
        metadata,
        leftMs: Number(call.getDeadline()) - Date.now(),
        cancelled: false,
      };
      call.on('cancelled', () => (one.cancelled = true));
      seen.push(one);
      if (!hangs) respond(null, {});
    },
  });
  const client = probeClient(back, transport, init);
  const failures: Error[] = [];
  const ask = async (respond: Respond): Promise<void> => {
    try {
      await Promise.resolve();
      await client.unary({}, own);
      respond(null, {});
    } catch (error) {
      failures.push(error as Error);
      respond({ code: 9, details: 'the back failed' });
    }
  };
  const front = await serveProbe({ Unary: (_call, respond) => void ask(respond) }, stages);
  return { seen, failures, caller: probeClient(front, transport, { inherit: false }) };
}

interface Setup {
  readonly stages?: readonly CallStage[];
  readonly hangs?: boolean;
  readonly own?: Parameters<ReturnType<typeof probeClient>['unary']>[1];
}

const HEADERS = {
  'x-request-id': 'r-1',
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'a=1',
  baggage: 'user=7',
  authorization: 'Bearer secret',
  'x-other': 'kept',
};

const keysOf = ({ metadata }: Seen): readonly string[] =>
  Object.keys(HEADERS).filter((key) => metadata.get(key).length > 0);

describe.each(TRANSPORTS)('a call made by a handler, %s,', (transport) => {
  it('takes over request id and trace, and no credentials', async () => {
    const { seen, caller } = await twoServers(transport);
    await caller.unary({}, { headers: HEADERS });
    expect(keysOf(seen[0]!)).toEqual(['x-request-id', 'traceparent', 'tracestate', 'baggage']);
    expect(seen[0]!.metadata.get('traceparent')).toEqual([HEADERS.traceparent]);
  });

  it('takes over the request id that a stage has given its call', async () => {
    const stage: CallStage = {
      name: 'log',
      bind: () => ({ onCall: (call: StagedCall) => call.setHeader('X-Request-Id', 'made-here') }),
    };
    const { seen, caller } = await twoServers(transport, {}, { stages: [stage] });
    await caller.unary({});
    expect(seen[0]!.metadata.get('x-request-id')).toEqual(['made-here']);
  });

  it('ends before the deadline of that call, by the margin', async () => {
    const { seen, caller } = await twoServers(transport, { inherit: { margin: '1m' } });
    await caller.unary({}, { timeout: '5m' });
    expect(seen[0]!.leftMs).toBeGreaterThan(3 * 60_000);
    expect(seen[0]!.leftMs).toBeLessThanOrEqual(4 * 60_000);
  });

  it('keeps a timeout of its own that is shorter', async () => {
    const { seen, caller } = await twoServers(transport, { timeout: '1m' });
    await caller.unary({}, { timeout: '5m' });
    expect(seen[0]!.leftMs).toBeLessThanOrEqual(60_000);
  });

  it('is not made where the margin leaves no time', async () => {
    const { seen, failures, caller } = await twoServers(transport, { inherit: { margin: '10m' } });
    await failureOfCall(caller.unary({}, { timeout: '5m' }));
    expect(seen).toEqual([]);
    expect(failures).toMatchObject([{ code: Code.DEADLINE_EXCEEDED }]);
    expect((failures[0]!.cause as Error).message).toContain('there was no time left');
  });

  it('is cancelled with that call', async () => {
    const { seen, failures, caller } = await twoServers(transport, {}, { hangs: true });
    const stop = new AbortController();
    const call = failureOfCall(caller.unary({}, { signal: stop.signal }));
    await until(() => seen.length === 1);
    stop.abort();
    await call;
    await until(() => seen[0]!.cancelled && failures.length === 1);
    expect(failures).toMatchObject([{ code: Code.CANCELLED }]);
  });

  it.each<[string, ClientInit<ProbeService>, Setup]>([
    ['a client that does not inherit', { inherit: false }, {}],
    ['a call that does not inherit', {}, { own: { inherit: false } }],
  ])('takes over nothing with %s', async (_, init, setup) => {
    const { seen, caller } = await twoServers(transport, init, setup);
    await caller.unary({}, { headers: HEADERS, timeout: '5m' });
    expect(keysOf(seen[0]!)).toEqual([]);
    expect(seen[0]!.leftMs).toBe(Infinity);
  });

  it('sends what it says itself in place of what it would take over', async () => {
    const own = { headers: { 'x-request-id': 'mine' } };
    const { seen, caller } = await twoServers(transport, {}, { own });
    await caller.unary({}, { headers: HEADERS });
    expect(seen[0]!.metadata.get('x-request-id')).toEqual(['mine']);
  });

  it('passes on the credentials of that call where a rule says so', async () => {
    const hosts = ['127.0.0.1', 'in-process'];
    const { seen, caller } = await twoServers(transport, {
      authorization: { from: 'inherit', hosts },
    });
    await caller.unary({}, { headers: HEADERS });
    await caller.unary({});
    expect(seen.map(({ metadata }) => metadata.get('authorization'))).toEqual([
      ['Bearer secret'],
      [],
    ]);
  });
});

describe('a call outside of any', () => {
  it('takes over nothing', async () => {
    const { seen, caller } = await twoServers('network');
    await caller.unary({});
    expect(keysOf(seen[0]!)).toEqual([]);
  });
});
