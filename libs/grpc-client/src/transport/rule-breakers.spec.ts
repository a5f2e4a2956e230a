import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import {
  FRAME,
  FrameServer,
  GOOD,
  type Script,
  answerWell,
  words,
} from '../../../../tools/testing/frame-server.js';
import type { NetworkTransport } from './network-transport.js';
import { plainTransport } from './probe-call.fixture.js';
import { BROKEN_CONNECTIONS, ODD_ANSWERS, SILENCES, UNHEARD } from './rule-breakers.fixture.js';
import { traceCall } from './same-ends.fixture.js';

const STACKS = ['grpc-js', 'http2'] as const;
type Made = (typeof STACKS)[number];

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server whose first call has that for an answer, and all others a good one. */
async function connected(stack: Made, script: Script, settings?: Buffer) {
  const server = await new FrameServer((to, stream, nth) => {
    if (nth === 0) script(to, stream, nth);
    else answerWell(to, stream);
  }, settings).listen();
  const transport: NetworkTransport = plainTransport(server.endpoint, { stack });
  ends.push(
    () => transport.close(),
    () => server.close(),
  );
  await transport.waitForReady(Date.now() + 30_000);
  return { server, transport };
}

const request = { requests: [Buffer.alloc(3)] };

describe('a server that breaks the rules of HTTP/2, or of gRPC', () => {
  it.each(ODD_ANSWERS)('ends its call over both stacks the same with %s', async (_what, script) => {
    const seen: unknown[] = [];
    for (const stack of STACKS) {
      const { server, transport } = await connected(stack, script);
      const trace = await traceCall(transport, request).ended;
      const next = await traceCall(transport, { ...request, waitForReady: true }).ended;
      seen.push({ trace, next, connections: server.connections.length });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[1]).toEqual(expect.objectContaining({ next: GOOD }));
  });

  // grpc-js has INTERNAL for some, and nothing before the deadline for others.
  it.each(BROKEN_CONNECTIONS)('loses its connection with %s', async (_what, script) => {
    const { server, transport } = await connected('http2', script);
    expect(await traceCall(transport, request).ended).toEqual([
      '14 by the client: Connection dropped',
    ]);
    expect(await traceCall(transport, { ...request, waitForReady: true }).ended).toEqual(GOOD);
    expect(server.connections).toHaveLength(2);
  });

  it('ends its call alone over http2 with a window of its stream that overflows', async () => {
    const { server, transport } = await connected('http2', (to, stream) =>
      to.send(FRAME.windowUpdate, 0, stream, words(0x7fffffff)),
    );
    expect(await traceCall(transport, request).ended).toEqual([
      '13 by the client: Received RST_STREAM with code 3',
    ]);
    expect(await traceCall(transport, request).ended).toEqual(GOOD);
    expect(server.connections).toHaveLength(1);
  });

  it.each(UNHEARD)(
    'has its call ended at once, or at its deadline, with %s',
    async (_w, script, end) => {
      const seen: unknown[] = [];
      for (const stack of STACKS) {
        const { transport } = await connected(stack, script);
        const deadline = Date.now() + (stack === 'http2' ? 30_000 : 400);
        seen.push(await traceCall(transport, { ...request, deadline }).ended);
        if (stack === 'grpc-js') continue;
        expect(await traceCall(transport, { ...request, waitForReady: true }).ended).toEqual(GOOD);
      }
      const late = '4 by the client: Deadline exceeded after a time';
      expect(seen).toEqual([expect.arrayContaining([late]), [end]]);
    },
  );

  describe.each(STACKS)('over %s', (stack) => {
    it.each(SILENCES)('has its call end at its deadline with %s', async (_what, script) => {
      const { transport } = await connected(stack, script);
      const trace = await traceCall(transport, { ...request, deadline: Date.now() + 400 }).ended;
      expect(trace.at(-1)).toBe('4 by the client: Deadline exceeded after a time');
    });

    it('is sent no more than its window takes', async () => {
      const closed = Buffer.concat([Buffer.of(0, 4), words(0)]);
      const { server, transport } = await connected(stack, () => {}, closed);
      const trace = await traceCall(transport, { ...request, deadline: Date.now() + 400 }).ended;
      expect(trace).toEqual(['4 by the client: Deadline exceeded after a time']);
      expect(server.connections[0]!.had.get(FRAME.data)).toBeUndefined();
    });

    it('has all of 100 calls made once, though it leaves in the midst of them', async () => {
      const made: number[] = [];
      const server = await new FrameServer((to, stream) => {
        if (to !== server.connections[0]) {
          answerWell(to, stream);
          return;
        }
        made.push(stream);
        if (made.length < 100) return;
        to.send(FRAME.goaway, 0, 0, words(made[49]!, 0));
        for (const taken of made.slice(0, 50)) answerWell(to, taken);
      }).listen();
      const transport = plainTransport(server.endpoint, { stack });
      ends.push(
        () => transport.close(),
        () => server.close(),
      );
      await transport.waitForReady(Date.now() + 30_000);
      const calls = Array.from({ length: 100 }, () => traceCall(transport, request));
      for (const trace of await Promise.all(calls.map(({ ended }) => ended))) {
        expect(trace).toEqual(GOOD);
      }
      await until(() => server.connections.length === 2);
      expect(server.connections[1]!.streams).toHaveLength(50);
    });
  });
});
