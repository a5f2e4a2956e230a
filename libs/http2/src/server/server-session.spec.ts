import { once } from 'node:events';
import {
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type Settings,
  connect,
} from 'node:http2';
import { Socket, connect as connectTcp } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { FRAME, FrameReader } from '../../../../tools/testing/http2-frames.js';
import {
  RawHttp2,
  callHeaders as requestHeaders,
  dataFrames,
} from '../../../../tools/testing/raw-http2.js';
import { until } from '../../../../tools/testing/until.js';
import { AnsweringServer } from './answering-server.fixture.js';
import { ServerSession } from './server-session.js';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0).toReversed()) end();
});

async function serve(...args: ConstructorParameters<typeof AnsweringServer>) {
  const server = await new AnsweringServer(...args).listen();
  ends.push(() => server.close());
  return server;
}

function clientOf({ port }: AnsweringServer, settings: Settings = {}): ClientHttp2Session {
  const client = connect(`http://127.0.0.1:${port}`, { settings });
  client.on('error', () => {});
  ends.push(() => client.destroy());
  return client;
}

interface Answer {
  readonly headers: IncomingHttpHeaders;
  readonly trailers: IncomingHttpHeaders | undefined;
  readonly body: Buffer;
}

/** Makes a request and resolves with its answer; rejects where it is reset. */
async function ask(
  client: ClientHttp2Session,
  path: string,
  body: readonly Buffer[] = [],
  more: { headers?: OutgoingHttpHeaders; trailers?: OutgoingHttpHeaders } = {},
): Promise<Answer> {
  const stream = client.request(
    { ':method': 'POST', ':path': path, ...more.headers },
    { endStream: false, waitForTrailers: more.trailers !== undefined },
  );
  let [headers, trailers]: IncomingHttpHeaders[] = [{}];
  const parts: Buffer[] = [];
  stream.on('wantTrailers', () => stream.sendTrailers(more.trailers!));
  stream.on('response', (it) => (headers = it));
  stream.on('trailers', (it) => (trailers = it));
  stream.on('data', (data: Buffer) => parts.push(data));
  for (const part of body) stream.write(part);
  stream.end();
  await once(stream, 'close');
  if (stream.rstCode !== 0) throw new Error(`reset with ${stream.rstCode}`);
  return { headers: headers!, trailers, body: Buffer.concat(parts) };
}

const text = fc
  .string({ unit: 'binary-ascii', maxLength: 40 })
  .map((it) => it.replaceAll(/[^ -~]/g, '~').trim());

describe('a server with a client of node:http2', () => {
  it.each([{}, { headerTableSize: 0 }, { headerTableSize: 100 }])(
    'has the same headers and trailers at both ends, with %j',
    async (settings) => {
      const client = clientOf(await serve(), settings);
      await fc.assert(
        fc.asyncProperty(text, text, text, async (a, b, c) => {
          const { body, trailers } = await ask(client, '/headers', [], {
            headers: { 'x-a': a, 'x-b': [b, b], cookie: c },
            trailers: { 'x-t': a },
          });
          const { method, headers } = JSON.parse(body.toString()) as {
            method: string;
            headers: IncomingHttpHeaders;
          };
          expect([method, headers['x-a'], headers['x-b'], headers.cookie]).toEqual([
            'POST',
            a,
            `${b}, ${b}`,
            c,
          ]);
          expect(trailers?.['x-t']).toBe(a);
        }),
        { numRuns: 200 },
      );
    },
  );

  it('echoes large bodies of many streams within the windows of both ends', async () => {
    const client = clientOf(await serve(), { initialWindowSize: 1_000 });
    const body = [Buffer.alloc(300_000, 'a'), Buffer.alloc(1, 'b'), Buffer.alloc(700_000, 'c')];
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(client, '/echo', body)));
    expect(all.every((it) => it.body.equals(Buffer.concat(body)))).toBe(true);
  });

  it('takes headers that no frame has room for', async () => {
    const client = clientOf(await serve());
    const long = 'x'.repeat(40_000);
    const { body } = await ask(client, '/headers', [], { headers: { 'x-long': long } });
    expect(body.toString()).toContain(long);
  });

  it('serves TLS', async () => {
    const { port } = await serve({}, { cert: CERTIFICATE, key: KEY });
    const client = connect(`https://127.0.0.1:${port}`, { ca: CERTIFICATE });
    ends.push(() => client.destroy());
    expect((await ask(client, '/')).body.toString()).toBe('ok');
  });

  it('asks a client to stop whose request is answered before it is complete', async () => {
    const server = await serve();
    const client = clientOf(server);
    const stream = client.request({ ':method': 'POST', ':path': '/early' }, { endStream: false });
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
    stream.resume();
    await once(stream, 'close');
    expect([headers[':status'], stream.rstCode]).toEqual([200, 0]);
    expect(server.sessions[0]!.streamCount).toBe(0);
  });

  it('tells of a stream that its client has reset, and goes on', async () => {
    const server = await serve();
    const client = clientOf(server);
    const stream = client.request({ ':path': '/hold' });
    stream.on('error', () => {});
    await until(() => server.requests.length === 1);
    stream.close(8);
    await until(() => server.ends.length === 1);
    expect(server.ends).toEqual([8]);
    expect((await ask(client, '/')).body.toString()).toBe('ok');
  });

  it('refuses streams above its limit, and serves them later', async () => {
    const server = await serve({ maxStreams: 2 });
    const client = clientOf(server);
    // The client has read the limit, and waits by itself.
    await once(client, 'remoteSettings');
    const all = await Promise.all(Array.from({ length: 20 }, () => ask(client, '/')));
    expect(all.map(({ body }) => body.toString())).toEqual(Array.from({ length: 20 }, () => 'ok'));
  });

  it('writes the answers of one turn at once', async () => {
    const server = await serve();
    const client = clientOf(server);
    await ask(client, '/');
    const write = jest.spyOn(server.sockets[0]!, 'write');
    const before = server.requests.length;
    const all = Array.from({ length: 50 }, () => ask(client, '/early'));
    await until(() => server.requests.length === before + 50);
    await Promise.all(all);
    expect(write.mock.calls.length).toBeLessThan(10);
  });

  it('holds back what a client does not read, and says how much', async () => {
    const server = await serve();
    const client = clientOf(server, { initialWindowSize: 0 });
    const stream = client.request({ ':path': '/big' });
    await once(stream, 'response');
    await until(() => server.sessions[0]!.unsentBytes === 300_000);
    client.settings({ initialWindowSize: 400_000 });
    let bytes = 0;
    stream.on('data', (data: Buffer) => (bytes += data.length));
    await once(stream, 'close');
    expect([bytes, server.sessions[0]!.unsentBytes]).toEqual([300_000, 0]);
  });
});

describe('a server that closes a connection', () => {
  it('serves what was on its way, and ends with the last stream', async () => {
    const server = await serve();
    const client = clientOf(server);
    const first = client.request({ ':method': 'POST', ':path': '/echo' }, { endStream: false });
    await once(first, 'response');
    server.sessions[0]!.close();
    // Sent before the client knows of it.
    const second = ask(client, '/');
    await once(client, 'goaway');
    expect((await second).body.toString()).toBe('ok');
    expect(server.closed).toBe(0);
    first.end('last');
    const [data] = (await once(first, 'data')) as [Buffer];
    expect(data.toString()).toBe('last');
    await until(() => server.closed === 1);
    expect([server.misuses, server.ends]).toEqual([[], []]);
  });

  it('waits for a second at most for a client that does not answer, and ignores what begins later', async () => {
    const server = await serve();
    const silent = await RawHttp2.open(server.port);
    ends.push(() => silent.socket.destroy());
    const reader = new FrameReader();
    let goaways = 0;
    silent.socket.on('data', (data: Buffer) => {
      goaways += reader.read(data).filter(({ type }) => type === FRAME.goaway).length;
    });
    await silent.write(requestHeaders(1, '/echo'));
    await silent.allRead();
    server.sessions[0]!.close();
    await until(() => goaways === 2);
    const body = Buffer.from('body');
    await silent.write(requestHeaders(3, '/echo'), ...dataFrames(3, body, { end: true }));
    await silent.write(...dataFrames(1, body, { end: true }));
    expect(await silent.outcome(1)).toMatchObject({ received: 4, reset: undefined });
    await silent.closed;
    expect([silent.goaway, server.closed, server.misuses]).toEqual([0, 1, []]);
    expect(server.requests).toEqual(['/echo']);
  });

  it('resets its streams where it cancels it, and tells their listeners once', async () => {
    const server = await serve();
    const raw = await RawHttp2.open(server.port);
    ends.push(() => raw.socket.destroy());
    await raw.write(requestHeaders(1, '/hold'), requestHeaders(3, '/hold'));
    await raw.allRead();
    server.sessions[0]!.cancel();
    await raw.closed;
    expect([...raw.resets]).toEqual([
      [1, 8],
      [3, 8],
    ]);
    expect([raw.goaway, server.ends]).toEqual([0, ['lost', 'lost']]);
  });

  it('tells a listener when its answer is on its way, and of nothing else then', async () => {
    const server = await serve();
    const client = clientOf(server);
    await ask(client, '/big');
    await ask(client, '/loud');
    expect([server.answered, server.ends]).toEqual([2, []]);
  });

  it('ends one that has not begun', async () => {
    const server = await serve();
    const socket = connectTcp(server.port, '127.0.0.1');
    await until(() => server.sessions.length === 1);
    server.sessions[0]!.close();
    socket.resume();
    await once(socket, 'close');
    expect(server.closed).toBe(1);
  });

  it('ends its streams as lost where it destroys it, and tells its own pings', async () => {
    const server = await serve();
    const client = clientOf(server);
    const stream = client.request({ ':path': '/hold' });
    stream.on('error', () => {});
    await until(() => server.requests.length === 1);
    const [session] = server.sessions;
    const answered = await new Promise((resolve) => session!.ping(resolve));
    const failed = new Promise((resolve) => session!.ping(resolve));
    session!.destroy(11, 'too_many_pings');
    const [code, , data] = (await once(client, 'goaway')) as [number, number, Buffer];
    expect([code, data.toString(), answered]).toEqual([11, 'too_many_pings', null]);
    expect(await failed).toBeInstanceOf(Error);
    expect([server.ends, server.misuses, session!.ping(() => {})]).toEqual([['lost'], [], false]);
  });
});

describe('options of a server', () => {
  it.each([
    [{ maxStreams: 0 }, 'http2: maxStreams must be a whole number from 1 to 4294967295, not 0'],
    [{ windowBytes: 2 ** 31 }, 'http2: windowBytes must be a whole number from 1 to 2147483647'],
    [{ windowBytes: 1.5 }, 'not 1.5'],
  ])('are checked: %j', (options, message) => {
    const listener = { onStream: jest.fn<never>(), onMisuse: jest.fn(), onClosed: jest.fn() };
    expect(() => new ServerSession(new Socket(), listener, options)).toThrow(message);
  });
});
