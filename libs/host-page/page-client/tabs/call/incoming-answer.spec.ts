import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './incoming-answer.js';
import { inFrames } from './message-frames.js';
import type { WrittenCall } from './outgoing-request.js';

type Call = Pick<WrittenCall, 'protocol' | 'kind'>;

async function read(call: Call, body: BodyInit | null, init: ResponseInit = {}) {
  const messages: string[] = [];
  const response = new Response(body, init);
  const end = await readAnswer(call, response, { onMessage: (text) => messages.push(text) });
  return { messages, ...end };
}

/** A frame with flags. */
function frame(flags: number, text: string): Uint8Array<ArrayBuffer> {
  const bytes = inFrames([text]);
  bytes[0] = flags;
  return bytes;
}

/** A body that comes in pieces. */
function pieces(...parts: readonly (string | Uint8Array)[]): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) {
        controller.enqueue(typeof part === 'string' ? new TextEncoder().encode(part) : part);
      }
      controller.close();
    },
  });
}

const type = (contentType: string, over: ResponseInit = {}): ResponseInit => ({
  ...over,
  headers: { 'content-type': contentType, ...(over.headers as Record<string, string>) },
});

describe('an answer of REST', () => {
  const call: Call = { protocol: 'rest', kind: 'unary' };

  it('is shown with a line for each member, and its status', async () => {
    expect(await read(call, '{"a":1}', type('application/json'))).toEqual({
      messages: ['{\n  "a": 1\n}'],
      isOk: true,
      text: 'status 200',
      trailers: [],
    });
    const problem = type('application/problem+json', { status: 403, statusText: 'Forbidden' });
    expect(await read(call, '{"code":7}', problem)).toMatchObject({
      messages: ['{\n  "code": 7\n}'],
      isOk: false,
      text: 'status 403 Forbidden',
    });
  });

  it('may be no JSON, or nothing', async () => {
    expect((await read(call, '<p>', type('text/html'))).messages).toEqual(['<p>']);
    expect((await read(call, null, { status: 204 })).messages).toEqual([]);
  });

  it('is a stream of lines, whatever pieces they come in', async () => {
    const body = pieces('{"result":{"n":1}}\n{"res', 'ult":{"n":2}}\n', '{"error":', '{}}');
    const { messages } = await read(
      { protocol: 'rest', kind: 'server_stream' },
      body,
      type('application/x-ndjson'),
    );
    expect(messages.map((text) => JSON.parse(text) as unknown)).toEqual([
      { result: { n: 1 } },
      { result: { n: 2 } },
      { error: {} },
    ]);
  });
});

describe('an answer of Connect', () => {
  const stream: Call = { protocol: 'connect', kind: 'server_stream' };
  const STREAM = type('application/connect+json');

  it('is JSON for one request', async () => {
    const call: Call = { protocol: 'connect', kind: 'unary' };
    expect(await read(call, '{}', type('application/json'))).toMatchObject({ isOk: true });
    expect(await read(call, '{"code":"not_found"}', { status: 404 })).toMatchObject({
      isOk: false,
      messages: ['{\n  "code": "not_found"\n}'],
    });
  });

  it('ends as its last frame says', async () => {
    const ended = frame(2, '{"metadata":{"x-took":["1","2"]}}');
    expect(await read(stream, pieces(frame(0, '1'), frame(0, '2'), ended), STREAM)).toEqual({
      messages: ['1', '2'],
      isOk: true,
      text: 'ok',
      trailers: [['x-took', '1, 2']],
    });
    const failed = frame(2, '{"error":{"code":"aborted","message":"too late"}}');
    expect(await read(stream, pieces(frame(0, '1'), failed), STREAM)).toMatchObject({
      messages: ['1'],
      isOk: false,
      text: 'aborted: too late',
    });
  });

  it('that stops before its last frame has failed', async () => {
    expect(await read(stream, pieces(frame(0, '1')), STREAM)).toMatchObject({
      isOk: false,
      text: 'the answer ended without a status',
    });
  });

  it('that is of another type is shown as it is', async () => {
    const text = type('text/plain', { status: 415 });
    expect(await read(stream, 'no such type', text)).toMatchObject({
      messages: ['no such type'],
      isOk: false,
      text: 'status 415',
    });
  });
});

describe('an answer of gRPC-Web', () => {
  const call: Call = { protocol: 'grpc-web', kind: 'unary' };
  const WEB = type('application/grpc-web+json');

  it('ends with its trailers', async () => {
    const trailers = frame(0x80, 'grpc-status: 0\r\nx-took: 1:2\r\n');
    expect(await read(call, pieces(frame(0, '{}'), trailers), WEB)).toEqual({
      messages: ['{}'],
      isOk: true,
      text: 'OK',
      trailers: [
        ['grpc-status', '0'],
        ['x-took', '1:2'],
      ],
    });
  });

  it.each([
    ['grpc-status: 7\r\ngrpc-message: no%20way\r\n', 'PERMISSION_DENIED: no way'],
    ['grpc-status: 7\r\ngrpc-message: 100%\r\n', 'PERMISSION_DENIED: 100%'],
    ['grpc-status: 99\r\n', 'code 99'],
  ])('names the code of %p', async (trailers, text) => {
    expect(await read(call, pieces(frame(0x80, trailers)), WEB)).toMatchObject({
      isOk: false,
      text,
    });
  });

  it('has its status in the headers where it is an error alone', async () => {
    const headers = { 'grpc-status': '16', 'grpc-message': 'who are you' };
    const init = type('application/grpc-web+json', { headers });
    expect(await read(call, null, init)).toMatchObject({
      isOk: false,
      text: 'UNAUTHENTICATED: who are you',
    });
  });
});
