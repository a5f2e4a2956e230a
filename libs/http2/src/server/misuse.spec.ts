import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  ACK,
  END_STREAM,
  FRAME,
  PREFACE,
  frame,
  numberFrame,
  settingsFrame,
} from '../../../../tools/testing/http2-frames.js';
import { RawHttp2, type StreamOutcome } from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { AnsweringServer, nodeServer } from './answering-server.fixture.js';
import { FLOODS, idOf } from './floods.fixture.js';
import {
  SEQUENCES,
  data,
  fields,
  headers,
  requestOf,
  times,
  whole,
} from './frame-sequences.fixture.js';

const EMPTY = Buffer.alloc(0);

const ends: (() => void)[] = [];
afterEach(() => {
  jest.useRealTimers();
  for (const end of ends.splice(0).toReversed()) end();
});

async function serve(): Promise<AnsweringServer> {
  const server = await new AnsweringServer().listen();
  ends.push(() => server.close());
  return server;
}

async function open(port: number, reads = true): Promise<RawHttp2> {
  const client = await RawHttp2.open(port, { reads });
  ends.push(() => void client.destroy());
  return client;
}

/** What a server makes of stream 1, or of the connection. */
async function endOf(port: number, frames: readonly Buffer[]): Promise<string> {
  const client = await open(port);
  await client.write(...frames);
  let outcome: StreamOutcome | undefined;
  void client.outcome(1).then((it) => (outcome = it));
  // Node leaves the connection to its client after some of its GOAWAYs.
  await until(() => outcome !== undefined || client.goaway !== undefined);
  if (outcome === undefined) return `goaway ${client.goaway}`;
  return outcome.reset === undefined ? 'answer' : `reset ${outcome.reset}`;
}

const kindOf = (end: string): string => end.replace(/ .*/, '');

describe('frames end in the same here as with node:http2, or in what is stated', () => {
  const rows = SEQUENCES.map(
    ([name, frames, ours, theirs = kindOf(ours)]) => [name, frames, ours, theirs] as const,
  );

  it.each(rows)('%s', async (_name, frames, ours, theirs) => {
    const server = await serve();
    const found = await endOf(server.port, frames);
    const other = await endOf(await nodeServer(ends), frames);
    expect([found, kindOf(other)]).toEqual([ours, theirs]);
    expect(server.misuses).toHaveLength(kindOf(ours) === 'goaway' ? 1 : 0);
  });

  it('an authority with a user, which only later versions of Node refuse (RFC 9113, 8.3.1)', async () => {
    const [method, scheme, path] = requestOf('/');
    const request = fields(1, [method!, scheme!, path!, [':authority', 'user@localhost']]);
    expect(await endOf((await serve()).port, [request])).toBe('reset 1');
  });

  it('where another end is stated', () => {
    expect(SEQUENCES.filter(([, , ours, theirs]) => kindOf(ours) === theirs)).toEqual([]);
  });
});

describe('a flood of', () => {
  it.each(FLOODS)('%s costs its connection, and no other', async (_name, framesOf) => {
    const server = await serve();
    const [flood, other] = [await open(server.port), await open(server.port)];
    for (let n = 0; !flood.socket.destroyed && flood.goaway === undefined; n += 500) {
      await flood.write(...times(500, (at) => Buffer.concat(framesOf(n + at))));
      // The turn of the server.
      await new Promise(setImmediate);
    }
    await flood.closed;
    await other.write(whole(1, '/'));
    expect((await other.outcome(1))?.received).toBe(2);
    expect(server.misuses).toEqual([expect.stringMatching(/^11 (too many|more answers)/)]);
    expect([flood.goaway, server.closed]).toEqual([11, 1]);
    expect(server.sessions[0]!.streamCount).toBe(0);
  });
});

describe('a client that is busy', () => {
  it('may reset as many streams as are answered, and grow windows as it reads', async () => {
    const server = await serve();
    const client = await open(server.port);
    for (let n = 0; n < 6_000; n += 3) {
      const [a, b, c] = [idOf(n), idOf(n + 1), idOf(n + 2)];
      const frames = [whole(a, '/'), whole(b, '/early'), headers(c, '/hold')];
      await client.write(...frames, numberFrame(FRAME.rstStream, c, 8));
      if (n % 90 === 0) await client.outcome(a);
    }
    await client.allRead();
    expect([server.misuses, server.requests.length]).toEqual([[], 6_000]);
  });

  it('may open more streams than there may be, until it knows how many', async () => {
    const server = await serve();
    const socket = connect(server.port, '127.0.0.1');
    ends.push(() => socket.destroy());
    socket.resume();
    // It acknowledges nothing.
    socket.write(
      Buffer.concat([
        PREFACE,
        settingsFrame({}),
        ...times(3_000, (n) => headers(idOf(n), '/hold')),
      ]),
    );
    await until(() => server.requests.length === 100);
    socket.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    await once(socket, 'data');
    expect(server.misuses).toEqual([]);
  });
});

describe('a client that', () => {
  it.each([
    ['speaks HTTP/1.1', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n', 'no preface of HTTP/2'],
    ['begins without settings', Buffer.concat([PREFACE, whole(1, '/')]), 'no settings at first'],
    [
      'begins with an answer to settings',
      Buffer.concat([PREFACE, frame(FRAME.settings, ACK, 0)]),
      'no settings at first',
    ],
  ])('%s is told so, and ended', async (_name, bytes, reason) => {
    const server = await serve();
    const socket = connect(server.port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.write(bytes);
    await once(socket, 'close');
    expect(Buffer.concat(parts).toString('latin1')).toContain(reason);
    expect(server.misuses).toEqual([`1 ${reason}`]);
  });

  it('gives the connection no room still has answers without a body', async () => {
    const server = await serve();
    const client = await open(server.port, false);
    await client.write(settingsFrame({ 4: 1_000_000 }), whole(1, '/big'));
    await until(() => server.sessions[0]?.unsentBytes === 300_000 - 65_535);
    await client.write(whole(3, '/empty'));
    expect((await client.outcome(3))?.headers.get(':status')).toBe('200');
  });

  it('sends its frames byte by byte is served', async () => {
    const server = await serve();
    const client = await open(server.port);
    client.socket.setNoDelay(true);
    // Its acknowledgement of settings has gone out.
    await client.allRead();
    for (const byte of Buffer.concat([headers(1, '/echo'), data(1, 'abc', END_STREAM)])) {
      await client.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    expect([(await client.outcome(1))?.received, server.misuses]).toEqual([3, []]);
  });

  const ONLY_TIMEOUTS = {
    doNotFake: [
      'nextTick',
      'setImmediate',
      'clearImmediate',
      'performance',
      'queueMicrotask',
      'Date',
      'hrtime',
      'setInterval',
      'clearInterval',
    ],
  } as const;

  it.each([
    ['sends nothing', EMPTY, 'no settings within 10 s'],
    ['sends half a preface', PREFACE.subarray(0, 10), 'no settings within 10 s'],
    [
      'does not complete a header block',
      Buffer.concat([PREFACE, settingsFrame({}), frame(FRAME.headers, 0, 1)]),
      'no whole header block within 10 s',
    ],
  ])('%s has 10 s', async (_name, bytes, reason) => {
    jest.useFakeTimers({ doNotFake: [...ONLY_TIMEOUTS.doNotFake] });
    const server = await serve();
    const socket = connect(server.port, '127.0.0.1').resume();
    ends.push(() => socket.destroy());
    if (bytes.length > 0) socket.write(bytes);
    await until(() => server.sockets[0]?.bytesRead === bytes.length);
    await new Promise(setImmediate);
    jest.advanceTimersByTime(9_999);
    expect(server.misuses).toEqual([]);
    jest.advanceTimersByTime(1);
    expect([server.misuses, server.closed]).toEqual([[`11 ${reason}`], 1]);
  });

  it('reads no answers is not read either, and has 10 s', async () => {
    jest.useFakeTimers({ doNotFake: [...ONLY_TIMEOUTS.doNotFake] });
    const server = await serve();
    const client = await open(server.port);
    client.socket.pause();
    const isPaused = (): boolean => server.sockets[0]!.isPaused();
    for (let n = 0; !isPaused(); n += 1) {
      if (!client.socket.writableNeedDrain) client.socket.write(whole(idOf(n), '/loud'));
      await new Promise(setImmediate);
    }
    const { length } = server.requests;
    // Not more than 256 KiB, and what one reading of the socket asks for, beyond what the system takes.
    const [socket] = server.sockets;
    expect(socket!.writableLength).toBeLessThan(20_000_000);
    await new Promise(setImmediate);
    expect(server.requests.length).toBe(length);
    jest.advanceTimersByTime(10_000);
    expect(server.misuses).toEqual(['11 no answers read within 10 s']);
    expect(socket!.destroyed).toBe(true);
  });

  it('reads its answers late is served', async () => {
    const server = await serve();
    const client = await open(server.port);
    client.socket.pause();
    const isPaused = (): boolean => server.sockets[0]!.isPaused();
    let n = 0;
    for (; !isPaused(); n += 1) {
      if (!client.socket.writableNeedDrain) client.socket.write(whole(idOf(n), '/loud'));
      await new Promise(setImmediate);
    }
    client.socket.resume();
    await client.write(whole(idOf(n), '/'));
    expect((await client.outcome(idOf(n)))?.received).toBe(2);
    expect([isPaused(), server.misuses]).toEqual([false, []]);
  });
});
