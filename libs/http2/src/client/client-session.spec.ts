import { once } from 'node:events';
import {
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
  type Settings,
  createServer,
} from 'node:http2';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { until } from '../../../../tools/testing/until.js';
import { FRAME, FrameServer, rawFrame, words } from '../../../../tools/testing/frame-server.js';
import { ClientSession } from './client-session.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Answering = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

async function serve(answer: Answering, settings: Settings = {}): Promise<number> {
  const server: Http2Server = createServer({ settings });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    answer(stream, headers);
  });
  server.on('session', (session) => ends.push(() => session.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

async function sessionTo(port: number): Promise<ClientSession> {
  const session = await new Promise<ClientSession>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const made = new ClientSession(socket, undefined, {
      onReady: () => resolve(made),
      onGoaway: () => {},
      onClosed: () => {},
    });
  });
  ends.push(() => session.destroy());
  return session;
}

const REQUEST = [':method', 'POST', ':scheme', 'http', ':authority', 'a', ':path', '/'];

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: number;
  readonly end: string | number;
}

/** Makes a request and resolves with what came of it. */
function ask(
  session: ClientSession,
  headers: readonly string[] = [],
  parts: readonly Buffer[] = [],
): Promise<Seen> {
  return new Promise((resolve) => {
    let [seen, bytes] = [{} as IncomingHttpHeaders, 0];
    const stream = session.begin([...REQUEST, ...headers], {
      onHeaders: (received, endsStream) => {
        seen = { ...seen, ...received.headers };
        if (endsStream) resolve({ headers: seen, bytes, end: 'trailers' });
      },
      onData: (data) => (bytes += data.length),
      onClosed: (end) => resolve({ headers: seen, bytes, end }),
    });
    for (const part of parts) stream.write(part);
    stream.end();
  });
}

const text = fc
  .string({ unit: 'binary-ascii', maxLength: 40 })
  .map((it) => it.replaceAll(/[^ -~]/g, '~').trim());

describe('a session with a server of node:http2', () => {
  it.each([{}, { headerTableSize: 0 }, { headerTableSize: 100 }])(
    'has the same headers at both ends, with %j',
    async (settings) => {
      const port = await serve((stream, { 'x-a': a, 'x-b': b, cookie }) => {
        stream.respond({ ':status': 200, 'x-c': a, 'x-d': b, 'x-e': cookie }, { endStream: true });
      }, settings);
      const session = await sessionTo(port);
      await fc.assert(
        fc.asyncProperty(text, text, text, async (a, b, c) => {
          const { headers } = await ask(session, ['x-a', a, 'x-b', b, 'cookie', c]);
          expect([headers['x-c'], headers['x-d'], headers['x-e']]).toEqual([a, b, c]);
        }),
        { numRuns: 200 },
      );
    },
  );

  it('reads values of all bytes that headers may have', async () => {
    const value = Array.from({ length: 95 }, (_, n) => String.fromCharCode(33 + n))
      .join('')
      .slice(0, 94);
    const port = await serve((stream) => {
      stream.respond({ ':status': 200, 'x-v': `${value}\u00e4\u00ff` }, { endStream: true });
    });
    const { headers } = await ask(await sessionTo(port));
    expect(headers['x-v']).toBe(`${value}\u00e4\u00ff`);
  });

  it('sends headers that no frame has room for', async () => {
    const lengths: unknown[] = [];
    const port = await serve((stream, { 'x-long': long }) => {
      lengths.push(String(long).length);
      stream.respond({ ':status': 200 }, { endStream: true });
    });
    await ask(await sessionTo(port), ['x-long', 'x'.repeat(40_000)]);
    expect(lengths).toEqual([40_000]);
  });

  it('sends large bodies of many streams within windows, and has their echo', async () => {
    const port = await serve((stream) => {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
    });
    const session = await sessionTo(port);
    const body = [Buffer.alloc(300_000), Buffer.alloc(1), Buffer.alloc(700_000)];
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(session, [], body)));
    expect(all.map(({ bytes, end }) => [bytes, end])).toEqual(
      Array.from({ length: 8 }, () => [1_000_001, 0]),
    );
  });

  it('writes what one turn brings at once', async () => {
    const port = await serve((stream) => stream.respond({ ':status': 200 }, { endStream: true }));
    const socket = connect(port, '127.0.0.1');
    const session: ClientSession = await new Promise((resolve) => {
      const made = new ClientSession(socket, undefined, {
        onReady: () => resolve(made),
        onGoaway: () => {},
        onClosed: () => {},
      });
    });
    ends.push(() => session.destroy());
    await ask(session);
    const write = jest.spyOn(socket, 'write');
    const asked = Array.from({ length: 50 }, () => ask(session, [], [Buffer.alloc(9)]));
    await new Promise(setImmediate);
    expect(write).toHaveBeenCalledTimes(1);
    await Promise.all(asked);
  });

  it('ends streams as lost when the connection is, and those that were never sent as refused', async () => {
    const one = Buffer.concat([Buffer.of(0, 3), words(1)]);
    const server = await new FrameServer((to) => to.socket.resetAndDestroy(), one).listen();
    ends.push(() => server.close());
    const session = await sessionTo(server.port);
    const all = await Promise.all([ask(session), ask(session)]);
    expect(all.map(({ end }) => end)).toEqual(['lost', 7]);
    expect(session.isOpen).toBe(false);
  });
});

describe('a session with a server that sends anything', () => {
  const frame = fc.tuple(
    fc.integer({ min: 0, max: 10 }),
    fc.constantFrom(0, 1, 4, 5, 8, 13, 32, 255),
    fc.constantFrom(0, 1, 1, 1, 2, 3, 2 ** 31 - 1),
    fc.uint8Array({ maxLength: 40 }),
  );

  it('throws nothing, and takes the next stream or is over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1, maxLength: 12 }), async (frames) => {
        const server = await new FrameServer((to) => {
          for (const [type, flags, stream, payload] of frames) {
            to.raw(rawFrame(type, flags, stream, Buffer.from(payload)));
          }
          to.send(FRAME.ping, 0, 0, Buffer.alloc(8));
          to.socket.end();
        }).listen();
        const session = await sessionTo(server.port);
        await Promise.race([ask(session), until(() => session.isDestroyed)]);
        await until(() => session.isDestroyed);
        server.close();
      }),
      { numRuns: 150 },
    );
  });
});

describe('a session that gets a GOAWAY', () => {
  it('begins no stream that waits for its turn, and refuses all that the server has not looked at', async () => {
    const server = await new FrameServer(
      (connection) => connection.send(FRAME.goaway, 0, 0, words(0, 0)),
      Buffer.concat([Buffer.of(0, 3), words(1)]),
    ).listen();
    ends.push(() => server.close());
    const session = await sessionTo(server.port);
    const ended = await Promise.all([ask(session), ask(session), ask(session)]);
    expect(ended.map(({ end }) => end)).toEqual([7, 7, 7]);
    await until(() => session.isDestroyed);
    expect(server.connections[0]!.streams).toEqual([1]);
  });
});
