import { constants } from 'node:http2';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ChannelOptions } from '@grpc/grpc-js';
import { freePort } from '../../../../tools/testing/free-port.js';
import { until } from '../../../../tools/testing/until.js';
import type { NetworkTransport } from './network-transport.js';
import { plainTransport } from './probe-call.fixture.js';
import { ANSWERS, REFUSALS, bytes } from './raw-answers.fixture.js';
import {
  type Answer,
  type CallScript,
  HEADERS,
  RawServer,
  answerWith,
  frame,
  requestsOf,
  traceCall,
} from './same-ends.fixture.js';

const STACKS = ['grpc-js', 'http2'] as const;
type Made = (typeof STACKS)[number];

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

async function serve(answer: Answer, settings = {}, port = 0): Promise<RawServer> {
  const server = await new RawServer(answer, settings).listen(port);
  ends.push(() => server.close());
  return server;
}

function to(endpoint: string, stack: Made, channelOptions: ChannelOptions = {}): NetworkTransport {
  const transport = plainTransport(endpoint, { stack, channelOptions });
  ends.push(() => transport.close());
  return transport;
}

/** Traces of the same call over both, each with a server of its own. */
async function traces(
  answer: () => Answer,
  script: CallScript = {},
  options?: ChannelOptions,
): Promise<readonly (readonly string[])[]> {
  const all: (readonly string[])[] = [];
  for (const stack of STACKS) {
    const server = await serve(answer());
    all.push(await traceCall(to(server.endpoint, stack, options), script).ended);
  }
  return all;
}

const twice = <T>(one: T): readonly T[] => [one, one];

describe('over grpc-js and over node:http2 a call ends the same', () => {
  it.each(ANSWERS)('with %s', async (_what, answer, expected) => {
    const [js, http2] = await traces(() => answer, { requests: [bytes(2)] });
    expect(http2).toEqual(['headers h', ...expected]);
    expect(http2).toEqual(js);
  });

  it.each(REFUSALS)('with %s', async (_what, answer, expected) => {
    const [js, http2] = await traces(() => answer, { requests: [bytes(2)] });
    expect(http2).toEqual(expected);
    expect(http2).toEqual(js);
  });

  it('when its deadline has passed, which is sent to the server', async () => {
    const timeouts: unknown[] = [];
    const answer: Answer = (_call, headers) => timeouts.push(headers['grpc-timeout']);
    const all: unknown[] = [];
    for (const stack of STACKS) {
      const server = await serve(answer);
      const transport = to(server.endpoint, stack);
      await transport.waitForReady(Date.now() + 30_000);
      all.push(await traceCall(transport, { deadline: Date.now() + 300 }).ended);
    }
    expect(all).toEqual(twice(['4 by the client: Deadline exceeded after a time']));
    expect(timeouts).toEqual(twice(expect.stringMatching(/^\d{1,3}m$/)));
  });

  it('when its timer fires before the clock has reached the deadline, as timers may', async () => {
    const server = await serve(() => {});
    const transport = to(server.endpoint, 'http2');
    await transport.waitForReady(Date.now() + 30_000);
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      const { ended } = traceCall(transport, { deadline: Date.now() + 60_000 });
      jest.advanceTimersByTime(60_000);
      expect(await ended).toEqual(['4 by the client: Deadline exceeded after a time']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('when its request is above the limit', async () => {
    const options = { 'grpc.max_send_message_length': 4 };
    const all = await traces(
      () => (call) => answerWith(call, []),
      { requests: [bytes(5)] },
      options,
    );
    const end = '8 by the client: Attempted to send message with a size larger than 4';
    expect(all).toEqual([[end], [end]]);
  });

  it('when no server listens', async () => {
    const endpoint = `127.0.0.1:${await freePort()}`;
    const all = [];
    for (const stack of STACKS) all.push(await traceCall(to(endpoint, stack)).ended);
    const end = '14 by the client: No connection established. Last error: connect ECONNREFUSED';
    expect(all[1]).toEqual([end]);
    expect(all[0]).toEqual(all[1]);
  });

  it('when the server refuses it once, which it is made again for, and twice', async () => {
    const refusing = (times: number) => (): Answer => {
      let refused = 0;
      return (call) => {
        refused += 1;
        if (refused <= times) call.close(constants.NGHTTP2_REFUSED_STREAM);
        else void requestsOf(call).then((all) => answerWith(call, [frame(all)]));
      };
    };
    const once = await traces(refusing(1), { requests: [bytes(4), bytes(6)] });
    expect(once).toEqual(twice(['headers h', 'message of 20', '0 by the server:  t']));
    const refused = await traces(refusing(2), { requests: [bytes(4)] });
    expect(refused).toEqual(twice(['14 by the client: Stream refused by server']));
  });

  it('with all requests at the server, large ones and compressed ones too', async () => {
    const answer = (): Answer => async (call, headers) => {
      const all = await requestsOf(call);
      const flag = `${all[0]} ${String(headers['grpc-encoding'] ?? 'as it is')}`;
      answerWith(call, [frame(Buffer.from(flag))]);
    };
    const large = await traces(answer, { requests: [bytes(1e6), bytes(1e6)] });
    expect(large[0]).toEqual(large[1]);
    const gzip = { 'grpc.default_compression_algorithm': 2 } as ChannelOptions;
    const small = await traces(answer, { requests: [bytes(9_000), bytes(3)] }, gzip);
    expect(small).toEqual(twice(['headers h', 'message of 6', '0 by the server:  t']));
  });
});

describe.each(STACKS)('over %s', (stack) => {
  it('a reader that is late gets everything, and is waited for', async () => {
    let written = 0;
    const server = await serve((call) => {
      call.respond(HEADERS);
      const write = (): void => {
        while (written < 8e6) {
          written += 10_000;
          if (!call.write(frame(bytes(9_995)))) {
            call.once('drain', write);
            return;
          }
        }
      };
      write();
    });
    const { call, trace } = traceCall(to(server.endpoint, stack), { reads: 1 });
    await until(() => trace.length === 2);
    await sleep(200);
    expect(written).toBeLessThan(1e6);
    expect(trace).toHaveLength(2);
    call.cancel();
  });

  it('what came before the status is read after it came', async () => {
    const server = await serve((call) =>
      answerWith(call, [frame(bytes(200_000)), frame(bytes(5))]),
    );
    const { call, trace, ended } = traceCall(to(server.endpoint, stack), { reads: 0 });
    await until(() => trace.length === 1);
    call.read();
    await until(() => trace.length === 2);
    call.read();
    await until(() => trace.length >= 3);
    call.read();
    expect(await ended).toEqual([
      'headers h',
      'message of 200000',
      'message of 5',
      '0 by the server:  t',
    ]);
  });

  it('a call that is cancelled is reset, and ends once', async () => {
    const codes: (number | undefined)[] = [];
    const server = await serve((call) => call.on('close', () => codes.push(call.rstCode)));
    const transport = to(server.endpoint, stack);
    await transport.waitForReady(Date.now() + 30_000);
    const { call, trace, ended } = traceCall(transport, { requests: [bytes(1)] });
    await sleep(50);
    call.cancel();
    call.cancel();
    await ended;
    await until(() => codes.length === 1);
    expect(trace).toEqual(['1 by the client: Cancelled on client']);
    expect(codes).toEqual([constants.NGHTTP2_CANCEL]);
  });

  it('calls go to a new connection after a GOAWAY, and those under way end on the old one', async () => {
    const held: (() => void)[] = [];
    const server = await serve((call) => {
      if (held.length === 0) call.session?.goaway(constants.NGHTTP2_NO_ERROR);
      held.push(() => answerWith(call, [frame(bytes(1))]));
    });
    const transport = to(server.endpoint, stack);
    const first = traceCall(transport);
    await until(() => transport.state === 'idle');
    const second = traceCall(transport);
    await until(() => held.length === 2);
    for (const answer of held) answer();
    const good = ['headers h', 'message of 1', '0 by the server:  t'];
    expect([await first.ended, await second.ended]).toEqual([good, good]);
    expect(server.connections).toBe(2);
  });

  it('a call waits for a server where it says so', async () => {
    const port = await freePort();
    const options = { 'grpc.initial_reconnect_backoff_ms': 100 };
    const transport = to(`127.0.0.1:${port}`, stack, options);
    const patient = traceCall(transport, { waitForReady: true });
    await until(() => transport.state === 'failing');
    await serve((call) => answerWith(call, [frame(bytes(1))]), {}, port);
    expect(await patient.ended).toEqual(['headers h', 'message of 1', '0 by the server:  t']);
  });

  it('more calls than the server takes at a time wait for each other', async () => {
    let [now, most] = [0, 0];
    const server = await serve(
      (call) => {
        now += 1;
        most = Math.max(most, now);
        call.on('close', () => (now -= 1));
        setTimeout(() => answerWith(call, [frame(bytes(1))]), 5);
      },
      { maxConcurrentStreams: 3 },
    );
    const transport = to(server.endpoint, stack);
    await transport.waitForReady(Date.now() + 30_000);
    const all = Array.from({ length: 12 }, () => traceCall(transport).ended);
    for (const trace of await Promise.all(all)) expect(trace).toHaveLength(3);
    expect(most).toBe(3);
    expect(server.connections).toBe(1);
  });
});

describe('over node:http2', () => {
  it('a header that HTTP/2 forbids ends its own call alone', async () => {
    const server = await serve((call) => answerWith(call, []));
    const transport = to(server.endpoint, 'http2');
    const bad = await traceCall(transport, { metadata: { connection: 'close' } }).ended;
    expect(bad).toEqual([
      expect.stringContaining('13 by the client: Failed to start HTTP/2 stream'),
    ]);
    expect(await traceCall(transport).ended).toEqual(['headers h', '0 by the server:  t']);
    expect(server.connections).toBe(1);
  });

  it.each([
    [
      'that nobody announced',
      HEADERS,
      'Received compressed message but "grpc-encoding" header was identity',
    ],
    [
      'of another algorithm',
      { ...HEADERS, 'grpc-encoding': 'br' },
      'Received message compressed with unsupported compression method br',
    ],
  ])('a message with compression %s is INTERNAL', async (_what, headers, details) => {
    const server = await serve((call) => answerWith(call, [frame(bytes(4), 1)], { headers }));
    const trace = await traceCall(to(server.endpoint, 'http2')).ended;
    expect(trace.at(-1)).toBe(`13 by the client: ${details}`);
  });

  it('requests are no longer compressed once the server says that it cannot read them', async () => {
    const encodings: unknown[] = [];
    const server = await serve((call, headers) => {
      encodings.push(headers['grpc-encoding']);
      answerWith(call, [], {
        headers: { ...HEADERS, 'grpc-accept-encoding': 'identity, deflate' },
      });
    });
    const gzip = { 'grpc.default_compression_algorithm': 2 } as ChannelOptions;
    const transport = to(server.endpoint, 'http2', gzip);
    await traceCall(transport, { requests: [bytes(9)] }).ended;
    await traceCall(transport, { requests: [bytes(9)] }).ended;
    expect(encodings).toEqual(['gzip', undefined]);
  });
});
