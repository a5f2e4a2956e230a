import { Code } from '@apix/contracts';
import { type ServerHttp2Stream, constants, createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  FRAME,
  FrameReader,
  PREFACE,
  frame,
  settingsFrame,
} from '../../../../tools/testing/http2-frames.js';
import { channelOf, createClient } from '../client/create-client.js';
import { Probe, failureOfCall } from '../client/probe-service.fixture.js';
import type { ClientStage, OutgoingCall } from '../stages/client-stage.js';
import { idempotentProbe } from './idempotent-probe.fixture.js';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

/** How a call is answered, on the socket that it came on. */
type Answer = (stream: ServerHttp2Stream, socket: Socket) => void;

/** An empty message, framed as gRPC has it. */
const NOTHING = Buffer.alloc(5);

interface Serving {
  readonly endpoint: string;
  readonly calls: () => number;
}

/**
 * A server of HTTP/2 that treats each call in its own way, the last of them for all that follow.
 *
 * @param leaves connections, the first of all, that go away without having processed a call.
 */
async function serving(answers: readonly Answer[], leaves = 0): Promise<Serving> {
  let calls = 0;
  const sockets: Socket[] = [];
  const http2 = createHttp2Server();
  http2.on('session', (session) => {
    const socket = sockets.at(-1)!;
    session.on('error', () => {});
    session.on('stream', (stream) => {
      stream.on('error', () => {});
      answers[Math.min(calls++, answers.length - 1)]!(stream, socket);
    });
  });
  const server = createServer((socket) => {
    sockets.push(socket);
    if (sockets.length <= leaves) goAway(socket, () => (calls += 1));
    else http2.emit('connection', socket);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    endpoint: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
  };
}

/** Says at the first call that it has processed none, and closes: Node's own server cannot say that. */
function goAway(socket: Socket, called: () => void): void {
  let read = Buffer.alloc(0);
  const reader = new FrameReader();
  socket.on('error', () => {});
  socket.write(settingsFrame({}));
  socket.on('data', (bytes) => {
    const isFirst = read.length < PREFACE.length;
    read = Buffer.concat([read, bytes]);
    if (read.length < PREFACE.length) return;
    for (const { type } of reader.read(isFirst ? read.subarray(PREFACE.length) : bytes)) {
      if (type !== FRAME.headers) continue;
      called();
      socket.end(frame(FRAME.goaway, 0, 0, Buffer.alloc(8)));
    }
  });
}

const well: Answer = (stream) => {
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
  stream.end(NOTHING);
};
const refused: Answer = (stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM);
/** As a process that is killed: nobody knows whether the call was processed. */
const lost: Answer = (_stream, socket) => void socket.destroy();
/** The same after a part of the response: its headers, or its message too. */
const lostAfter =
  (...body: readonly Buffer[]): Answer =>
  (stream, socket) => {
    stream.respond(
      { ':status': 200, 'content-type': 'application/grpc', 'x-attempt': 'lost' },
      { waitForTrailers: true },
    );
    for (const bytes of body) stream.write(bytes);
    // Node's own end of the socket knows when all of it is on its way.
    stream.session!.ping(() => void socket.destroy());
  };

function clientOf(
  endpoint: string,
  service = Probe,
  isRetried = false,
  stages: readonly ClientStage[] = [],
) {
  const client = createClient(service, {
    endpoint,
    timeout: '30s',
    stages,
    ...(isRetried && { retry: { initialBackoff: '1ms' } }),
  });
  open.push(() => void channelOf(client).close());
  return client;
}

describe('a call without retries', () => {
  it.each<[string, Answer[], number]>([
    ['was refused by the server', [refused, well], 0],
    ['was left behind by a server that goes away', [well], 1],
  ])('is sent again where it %s and so never seen', async (_, answers, leaves) => {
    const { endpoint, calls } = await serving(answers, leaves);
    await clientOf(endpoint).unary({});
    expect(calls()).toBe(2);
  });

  it('is not sent again where it was lost with its connection, whatever it may have done', async () => {
    const { endpoint, calls } = await serving([lost, well]);
    const error = await failureOfCall(clientOf(endpoint).unary({}));
    expect(error).toMatchObject({ code: Code.UNAVAILABLE, message: 'the service is unavailable' });
    expect(calls()).toBe(1);
  });

  it('is not sent again where it was lost after the headers of its response', async () => {
    const { endpoint, calls } = await serving([lostAfter(), well]);
    expect(await failureOfCall(clientOf(endpoint).unary({}))).toMatchObject({
      code: Code.UNAVAILABLE,
    });
    expect(calls()).toBe(1);
  });

  it('is sent again once and no more where it is refused again', async () => {
    const { endpoint, calls } = await serving([refused]);
    expect(await failureOfCall(clientOf(endpoint).unary({}))).toMatchObject({
      code: Code.UNAVAILABLE,
    });
    expect(calls()).toBe(2);
  });
});

describe('a call with retries', () => {
  it('is made again where it was lost with its connection', async () => {
    const { endpoint, calls } = await serving([lost, lost, well]);
    await clientOf(endpoint, idempotentProbe('Unary'), true).unary({});
    expect(calls()).toBe(3);
  });

  it.each([
    ['headers', [lostAfter(), lostAfter(), well]],
    ['message', [lostAfter(NOTHING), lostAfter(NOTHING), well]],
  ])('is made again where it was lost after the %s of its response', async (_, answers) => {
    const { endpoint, calls } = await serving(answers);
    const headers: unknown[] = [];
    const client = clientOf(endpoint, idempotentProbe('Unary'), true);
    await client.unary({}, { onHeaders: (each) => headers.push(each.get('x-attempt')) });
    expect(calls()).toBe(3);
    expect(headers).toEqual([[]]);
  });

  it.each<[string, Answer[]]>([
    ['the channel', [lost, lost, well]],
    ['the client', [lostAfter(), lostAfter(), well]],
  ])('tells its stages how often %s has made it again', async (_, answers) => {
    const { endpoint } = await serving(answers);
    const resends: number[] = [];
    const onEnd = (call: OutgoingCall): void => void resends.push(call.resends);
    const client = clientOf(endpoint, idempotentProbe('Unary'), true, [
      { name: 'watch', bind: () => ({ onEnd }) },
    ]);
    await client.unary({});
    expect(resends).toEqual([2]);
  });

  it('is given up after as many attempts as it may have', async () => {
    const { endpoint, calls } = await serving([lostAfter()]);
    const client = clientOf(endpoint, idempotentProbe('Unary'), true);
    expect(await failureOfCall(client.unary({}))).toMatchObject({ code: Code.UNAVAILABLE });
    expect(calls()).toBe(4);
  });
});
