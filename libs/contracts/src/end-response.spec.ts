import { type RequestListener, createServer as createHttp1Server, request } from 'node:http';
import { connect, createServer } from 'node:http2';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { endResponse, writePart } from './end-response.js';
import type { AnyResponse } from './leave-request.js';

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
