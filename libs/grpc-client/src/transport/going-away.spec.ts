import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../../../../tools/testing/until.js';
import {
  END_STREAM,
  FRAME,
  FrameServer,
  GOOD,
  HEADERS,
  MESSAGE,
  type Script,
  TRAILERS,
  answerWell,
  words,
} from '../../../../tools/testing/frame-server.js';
import { plainTransport } from './probe-call.fixture.js';
import { traceCall } from './same-ends.fixture.js';

const PING_MS = 50;
const KEEP_ALIVE = { 'grpc.keepalive_time_ms': PING_MS, 'grpc.keepalive_timeout_ms': 200 };

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

async function between(stack: 'grpc-js' | 'http2', script: Script) {
  const server = await new FrameServer(script).listen();
  ends.push(() => server.close());
  const transport = plainTransport(server.endpoint, { stack, channelOptions: KEEP_ALIVE });
  ends.push(() => transport.close());
  return { server, transport };
}

/** Goes away after the last stream that there can be. */
const goaway = words(2 ** 31 - 1, 0);

describe.each(['grpc-js', 'http2'] as const)('over %s a server that goes away', (stack) => {
  it('and dies in silence ends the calls under way', async () => {
    const { server, transport } = await between(stack, (connection) => {
      connection.send(FRAME.goaway, 0, 0, goaway);
      // Nothing is read any more, and so nothing acknowledged.
      connection.socket.pause();
    });
    const [end] = (await traceCall(transport).ended).slice(-1);
    expect(end).toMatch(/^14 by the client: /);
    expect(server.connections).toHaveLength(1);
  });

  it('keeps the last call when its client is closed meanwhile', async () => {
    const { server, transport } = await between(stack, (connection) => {
      connection.send(FRAME.goaway, 0, 0, goaway);
    });
    const { ended } = traceCall(transport);
    await until(() => transport.state !== 'ready' && server.connections[0]?.streams.length === 1);
    transport.close();
    await new Promise((resolve) => setTimeout(resolve, 6 * PING_MS));
    answerWell(server.connections[0]!, 1);
    expect(await ended).toEqual(GOOD);
  });

  it('ends no other call with one that begins in the same moment', async () => {
    const { server, transport } = await between(stack, (connection, stream, nth) => {
      if (nth === 2) answerWell(connection, stream);
    });
    const [first, second] = [traceCall(transport), traceCall(transport)];
    await until(() => server.connections[0]?.streams.length === 2);
    const third = first.ended.then(() => traceCall(transport).ended);
    const [connection] = server.connections;
    connection!.socket.cork();
    connection!.headers(1, HEADERS);
    connection!.send(FRAME.data, 0, 1, MESSAGE);
    connection!.headers(1, TRAILERS, END_STREAM);
    connection!.send(FRAME.goaway, 0, 0, goaway);
    connection!.socket.uncork();
    expect(await third).toEqual(GOOD);
    answerWell(connection!, 3);
    expect(await Promise.all([first.ended, second.ended])).toEqual([GOOD, GOOD]);
    expect(server.connections).toHaveLength(2);
  });
});

it.each(['grpc-js', 'http2'] as const)(
  'a client over %s that is closed keeps the calls under way',
  async (stack) => {
    const { server, transport } = await between(stack, () => {});
    const { ended } = traceCall(transport);
    await until(() => server.connections[0]?.streams.length === 1);
    transport.close();
    await new Promise((resolve) => setTimeout(resolve, 6 * PING_MS));
    answerWell(server.connections[0]!, 1);
    expect(await ended).toEqual(GOOD);
  },
);
