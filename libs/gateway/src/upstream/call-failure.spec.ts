import { type ServerHttp2Stream, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Code } from '@apix/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { type Answer, ask } from '../fixtures/serve.fixture.js';
import { networkUpstream } from './network-upstream.js';

const OK = { ':status': 200, 'content-type': 'application/grpc' };
const NOTHING = Buffer.alloc(0);
/** A message of a length that grpc-js refuses unless it is told otherwise: 16 MB. */
const HUGE = Buffer.from([0, 1, 0, 0, 0]);
/** What says that it is compressed and is not. */
const NOT_GZIP = Buffer.from([1, 0, 0, 0, 1, 0]);

/** A message of no bytes, which is one of every kind. */
const EMPTY = Buffer.from([0, 0, 0, 0, 0]);

type Behaviour = (stream: ServerHttp2Stream) => void;

/** Begins an answer, then does something. */
const begun =
  (then: Behaviour, headers = OK): Behaviour =>
  (stream) => {
    // Otherwise Node ends the stream well before it resets it.
    stream.respond(headers, { waitForTrailers: true });
    stream.write(NOTHING, () => setImmediate(then, stream));
  };
const reset = (code: number): Behaviour => begun((stream) => stream.close(code));

describe.each(['grpc-js', 'http2'] as const)('over %s a server that breaks rules', (stack) => {
  const rig = useRig();
  const close: (() => void)[] = [];
  afterEach(() => {
    for (const end of close.splice(0)) end();
  });

  async function answerOf(behave: Behaviour, path: string, timeout: string): Promise<Answer> {
    const server = createServer();
    server.on('stream', (stream: ServerHttp2Stream) => {
      stream.on('error', () => {});
      behave(stream);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const upstream = networkUpstream({ endpoint: `127.0.0.1:${port}`, stack });
    close.push(
      () => upstream.close(),
      () => server.close(),
    );
    return ask(await rig.start({}, upstream), path, { headers: { 'grpc-timeout': timeout } });
  }

  const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INADEQUATE_SECURITY } = constants;
  const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_NO_ERROR } = constants;

  describe.each(['/v1/query', '/v1/count?to=1'])('at %s', (path) => {
    it.each<[string, Behaviour, number, string]>([
      ['drops the connection', begun(({ session }) => session?.destroy()), 503, 'UNAVAILABLE'],
      ['refuses the stream', reset(NGHTTP2_REFUSED_STREAM), 503, 'UNAVAILABLE'],
      ['cancels the stream', reset(NGHTTP2_CANCEL), 503, 'UNAVAILABLE'],
      ['asks for calm', reset(NGHTTP2_ENHANCE_YOUR_CALM), 503, 'UNAVAILABLE'],
      ['wants security', reset(NGHTTP2_INADEQUATE_SECURITY), 503, 'UNAVAILABLE'],
      ['breaks', reset(NGHTTP2_INTERNAL_ERROR), 500, 'INTERNAL'],
      ['ends without a status', reset(NGHTTP2_NO_ERROR), 500, 'INTERNAL'],
      ['says nothing', () => {}, 504, 'DEADLINE_EXCEEDED'],
      ['sends too much', begun((stream) => stream.write(HUGE)), 500, 'INTERNAL'],
      [
        'sends what cannot be unpacked',
        begun((stream) => stream.write(NOT_GZIP), { ...OK, 'grpc-encoding': 'gzip' } as never),
        500,
        'INTERNAL',
      ],
      [
        'compresses without saying so',
        begun((stream) => stream.write(NOT_GZIP)),
        500,
        // grpc-js gives it no code.
        stack === 'http2' ? 'INTERNAL' : 'UNKNOWN',
      ],
      [
        'is a proxy',
        begun((stream) => stream.close(), { ...OK, ':status': 502 }),
        503,
        'UNAVAILABLE',
      ],
    ])('%s: the caller is told the code in our own words', async (_what, behave, status, code) => {
      // A stream that is silent for a second is answered 200.
      const timeout = code === 'DEADLINE_EXCEEDED' ? '500m' : '2S';
      const answer = await answerOf(behave, path, timeout);
      const { detail, ...rest } = answer.json as Readonly<Record<string, unknown>>;
      expect([answer.status, rest['code']]).toEqual([status, code]);
      expect([
        'the service is unavailable',
        'the response is too large',
        'deadline exceeded',
        'internal error',
        'the call failed',
      ]).toContain(detail);
    });
  });

  it.each([
    ['no answer', NOTHING],
    ['two answers', Buffer.concat([EMPTY, EMPTY])],
  ])('a unary call with %s is UNIMPLEMENTED, and not left to its deadline', async (_, bytes) => {
    const behave: Behaviour = (stream) => {
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.respond(OK, { waitForTrailers: true });
      stream.end(bytes);
    };
    const { status, json } = await answerOf(behave, '/v1/query', '20S');
    expect([status, json]).toEqual([501, expect.objectContaining({ detail: 'the call failed' })]);
  });
});

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);

  it.each([
    [Code.NOT_FOUND, 'Failed to find it'],
    [Code.FAILED_PRECONDITION, 'Deadline exceeded after two tries'],
    [Code.ABORTED, 'Connection dropped'],
    [Code.UNAVAILABLE, 'Failed to reach the warehouse'],
    [Code.UNAVAILABLE, 'the in-process server of the shop is closed'],
    [Code.CANCELLED, 'Cancelled by parent company'],
    [Code.DEADLINE_EXCEEDED, 'Deadline exceeded'],
  ])("keeps the server's own words with the code %s: %s", async (code, message) => {
    const path = `/v1/fail?code=${code}&message=${encodeURIComponent(message)}`;
    const { json } = await ask(await rig.start(), path);
    expect(json).toMatchObject({ detail: message });
  });
});
