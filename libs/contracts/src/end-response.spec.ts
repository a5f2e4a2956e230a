import { type RequestListener, createServer as createHttp1Server, request } from 'node:http';
import {
  connect,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, afterEach } from '@jest/globals';
import { endResponse, writePart, type AnyResponse, dropRest } from './end-response.js';
import { END_STREAM, FRAME, frame } from '../../../tools/testing/http2-frames.js';
import { RawHttp2, callHeaders } from '../../../tools/testing/raw-http2.js';
import { until } from '../../../tools/testing/until.js';

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

type Handler = (res: AnyResponse) => void;

async function overHttp1(method: string, handler: Handler): Promise<Answer> {
  const server = createHttp1Server((_req, res) => handler(res));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, method, agent: false }).end();
  const [res] = (await once(sent, 'response')) as Parameters<RequestListener>;
  let text = '';
  for await (const part of res.setEncoding('latin1')) text += part as string;
  server.close();
  return { status: res.statusCode, text };
}

async function overHttp2(method: string, handler: Handler): Promise<Answer> {
  const broken: unknown[] = [];
  const server = createServer((_req, res) => {
    res.stream.on('error', (error) => broken.push(error));
    handler(res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':method': method, ':path': '/' });
  const [headers] = (await once(stream, 'response')) as [{ ':status'?: number }];
  let text = '';
  for await (const part of stream.setEncoding('latin1')) text += part as string;
  session.close();
  server.close();
  expect(broken).toEqual([]);
  return { status: headers[':status'], text };
}

const [a, b] = ['a'.repeat(100), 'b'.repeat(500)];
const NONE = new Uint8Array();

const HANDLERS: readonly [string, string, Handler, Answer][] = [
  ['that has no body', 'GET', (res) => endResponse(res), { status: 200, text: '' }],
  ['that is one part', 'GET', (res) => endResponse(res, a), { status: 200, text: a }],
  ['that is one empty part', 'GET', (res) => endResponse(res, NONE), { status: 200, text: '' }],
  [
    'that ends without a last part',
    'GET',
    (res) => {
      writePart(res, a);
      writePart(res, b);
      endResponse(res);
    },
    { status: 200, text: a + b },
  ],
  [
    'that ends with an empty text',
    'GET',
    (res) => {
      writePart(res, a);
      writePart(res, b);
      endResponse(res, '');
    },
    { status: 200, text: a + b },
  ],
  [
    'that ends with no bytes',
    'GET',
    (res) => {
      writePart(res, Buffer.from(a));
      writePart(res, b);
      endResponse(res, NONE);
    },
    { status: 200, text: a + b },
  ],
  [
    'that has empty parts',
    'GET',
    (res) => {
      writePart(res, '');
      writePart(res, a);
      writePart(res, NONE);
      writePart(res, b);
      writePart(res, '');
      setImmediate(endResponse, res);
    },
    { status: 200, text: a + b },
  ],
  [
    'to HEAD',
    'HEAD',
    (res) => endResponse(res.writeHead(200, { 'content-length': 100 }), a),
    { status: 200, text: '' },
  ],
  [
    'with a status that has no body',
    'GET',
    (res) => endResponse(res.writeHead(304), a),
    { status: 304, text: '' },
  ],
];

describe.each([
  ['HTTP/1', overHttp1],
  ['HTTP/2', overHttp2],
])('over %s', (_protocol, ask) => {
  it.each(HANDLERS)(
    'a response %s arrives as it was written',
    async (_, method, handler, answer) => {
      expect(await ask(method, handler)).toEqual(answer);
    },
  );
});

it('the headers alone are sent by an empty part', async () => {
  const server = createServer((_req, res) => void writePart(res, ''));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':path': '/' });
  await once(stream, 'response');
  session.destroy();
  server.close();
});

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Talk {
  readonly client: RawHttp2;
  /** The response of the first stream. */
  readonly response: Promise<Http2ServerResponse>;
  /** Bytes of its request that were read. */
  readonly read: () => number;
}

type Http2Handler = (req: Http2ServerRequest, res: Http2ServerResponse) => void;

async function talk(handler: Http2Handler): Promise<Talk> {
  let bytes = 0;
  let begin!: (res: Http2ServerResponse) => void;
  const response = new Promise<Http2ServerResponse>((resolve) => (begin = resolve));
  const server = createServer((req, res) => {
    handler(req, res);
    req.on('data', (part: Buffer) => (bytes += part.length));
    begin(res);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = await RawHttp2.open((server.address() as AddressInfo).port);
  closing.push(
    () => new Promise((closed) => server.close(closed)),
    () => client.destroy(),
  );
  return { client, response, read: () => bytes };
}

/** Begins a request, and says whether the frames of its answer ended before a reset. */
async function answered({ client }: Talk): Promise<unknown> {
  await client.write(callHeaders(1, '/'), frame(FRAME.data, 0, 1, Buffer.alloc(8_000)));
  return (await client.outcome(1))?.reset;
}

const closed = (res: Http2ServerResponse): Promise<unknown> =>
  new Promise((resolve) => res.once('close', resolve));

describe('the answer to an incomplete request of HTTP/2', () => {
  it.each<[string, Http2Handler]>([
    ['that has a body', (_, res) => endResponse(res, 'no')],
    ['that has none', (_, res) => endResponse(res.writeHead(405))],
    [
      'whose request was read in part',
      (req, res) =>
        void req.once('data', () => {
          req.pause();
          endResponse(res, 'no');
        }),
    ],
    [
      'that was begun before',
      (_, res) => {
        res.write('no');
        setImmediate(() => endResponse(res, 'thing'));
      },
    ],
  ])('%s has its end, and 2 s later the stream is reset with NO_ERROR', async (_what, handler) => {
    const begun = await talk(handler);
    expect(await answered(begun)).toBeUndefined();
    const before = performance.now();
    await closed(await begun.response);
    await until(() => begun.client.resets.size > 0);
    expect(begun.client.resets.get(1)).toBe(0);
    expect(performance.now() - before).toBeGreaterThan(1_500);
  });

  it('does not reset a stream that its client ends', async () => {
    const begun = await talk((_, res) => endResponse(res, 'no'));
    expect(await answered(begun)).toBeUndefined();
    await begun.client.write(frame(FRAME.data, END_STREAM, 1, Buffer.alloc(100)));
    await closed(await begun.response);
    expect([begun.client.resets.size, begun.read()]).toEqual([0, 8_100]);
  });

  it('closes at once if its client resets the stream', async () => {
    const begun = await talk((_, res) => endResponse(res, 'no'));
    expect(await answered(begun)).toBeUndefined();
    const cancel = Buffer.from([0, 0, 0, 8]);
    await begun.client.write(frame(FRAME.rstStream, 0, 1, cancel));
    await closed(await begun.response);
  });

  it('closes also where what its client has sent is not read to its end', async () => {
    const begun = await talk((req, res) => {
      endResponse(res, 'no');
      req.once('data', () => setImmediate(() => req.pause()));
    });
    expect(await answered(begun)).toBeUndefined();
    const rest = [1, 2, 3].map(() => frame(FRAME.data, 0, 1, Buffer.alloc(16_000)));
    await begun.client.write(...rest, frame(FRAME.data, END_STREAM, 1, Buffer.alloc(0)));
    await closed(await begun.response);
  });
});

it('of the rest of a request 4 MiB are read, and no more', async () => {
  let bytes = 0;
  const endless = new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });
  endless.on('data', (part: Buffer) => (bytes += part.length));
  dropRest(endless);
  await once(endless, 'pause');
  expect(bytes).toBe(4 * 1024 * 1024);
});

it('the answer to an incomplete request of HTTP/1 leaves its request to Node', async () => {
  const server = createHttp1Server((_req, res) => endResponse(res, 'no'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => server.close());
  const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
  closing.push(() => socket.destroy());
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nfirst');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  socket.write('after');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [next] = (await once(socket, 'data')) as [Buffer];
  expect(String(next)).toMatch(/^HTTP\/1\.1 200 /);
});
