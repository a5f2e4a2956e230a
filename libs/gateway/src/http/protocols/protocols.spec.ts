import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { JsonValue } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serveOnHost } from '../../../../../tools/testing/host-server.js';
import { CREDENTIALS, gatekeeper } from '../../fixtures/gatekeeper.fixture.js';
import { type Rig, useRig } from '../../fixtures/rig.fixture.js';
import {
  DIALECTS,
  type RpcAsk,
  type RpcDialect,
  callRaw,
  callRpc,
} from '../../fixtures/rpc-client.fixture.js';
import { Gateway } from '../gateway.js';
import { framed } from './message-frames.js';

const MAX_BYTES = 100_000;
const FAR_MS = 60_000;

interface Wanted {
  readonly code: string;
  readonly message?: unknown;
  readonly messages?: readonly JsonValue[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly trailers?: Readonly<Record<string, string>>;
  readonly details?: readonly string[];
}

type Case = readonly [what: string, ask: RpcAsk, wanted: Wanted];

const one = (method: string, message: JsonValue, more: Partial<RpcAsk> = {}): RpcAsk => ({
  method,
  messages: [message],
  ...more,
});
const numbers = (...all: number[]): JsonValue[] => all.map((number) => ({ number }));
const gzip = { name: 'gzip', pack: gzipSync };

const UNARY: readonly Case[] = [
  [
    'a message back',
    one('EchoService/Query', { str: 'ä', i64: '9007199254740993' }),
    { code: 'OK', messages: [{ str: 'ä', i64: '9007199254740993' }] },
  ],
  ['the empty message', one('EchoService/Query', {}), { code: 'OK', messages: [{}] }],
  [
    'headers and trailers apart',
    one('EchoService/Metadata', {
      headers: ['x-test-a=1'],
      trailers: ['x-test-b=2', 'x-test-b=3'],
    }),
    { code: 'OK', headers: { 'x-test-a': '1' }, trailers: { 'x-test-b': '2, 3' } },
  ],
  [
    'an error with details',
    one('EchoService/Fail', { code: 9, message: 'nicht möglich', field: 'x' }),
    {
      code: 'FAILED_PRECONDITION',
      message: 'nicht möglich',
      messages: [],
      details: ['google.rpc.BadRequest'],
    },
  ],
  [
    'an error of the server without its text',
    one('EchoService/Fail', { unexpected: true }),
    { code: 'UNKNOWN', message: expect.not.stringContaining('hunter2'), messages: [] },
  ],
  [
    'DEADLINE_EXCEEDED after its own timeout',
    one('EchoService/Fail', { delayMs: FAR_MS }, { timeoutMs: 50 }),
    { code: 'DEADLINE_EXCEEDED', messages: [] },
  ],
  [
    'INVALID_ARGUMENT for bytes that are no message',
    one('EchoService/Query', {}, { bytes: Buffer.from('{"str"') }),
    { code: 'INVALID_ARGUMENT', messages: [] },
  ],
  [
    'RESOURCE_EXHAUSTED for a message beyond the limit',
    one('EchoService/Query', { str: 'x'.repeat(MAX_BYTES) }),
    { code: 'RESOURCE_EXHAUSTED', messages: [] },
  ],
  // The larger one is decompressed in another thread.
  ...[
    gzip,
    { name: 'br', pack: brotliCompressSync },
    { name: 'deflate', pack: deflateSync },
  ].flatMap((coding): Case[] =>
    [5_000, 99_000].map((length) => [
      `an answer to a message in ${coding.name} of ${length} bytes`,
      one('EchoService/Query', { str: 'x'.repeat(length) }, { coding }),
      { code: 'OK', messages: [{ str: 'x'.repeat(length) }] },
    ]),
  ),
  [
    'RESOURCE_EXHAUSTED for a message that unpacks to more than the limit',
    one('EchoService/Query', { str: 'x'.repeat(2_000_000) }, { coding: gzip }),
    { code: 'RESOURCE_EXHAUSTED', messages: [] },
  ],
  [
    'INVALID_ARGUMENT for a message that is not compressed as it says',
    one('EchoService/Query', {}, { coding: { name: 'gzip', pack: () => Buffer.from('no gzip') } }),
    { code: 'INVALID_ARGUMENT', messages: [] },
  ],
  [
    'UNIMPLEMENTED for an unknown compression',
    one('EchoService/Query', {}, { coding: { name: 'lzma', pack: gzipSync } }),
    { code: 'UNIMPLEMENTED', message: expect.stringContaining('"lzma"'), messages: [] },
  ],
  [
    'INVALID_ARGUMENT for a metadata value that is not ASCII',
    one('EchoService/Query', {}, { headers: { 'x-test': 'ä' } }),
    { code: 'INVALID_ARGUMENT', messages: [] },
  ],
];

const STREAMS: readonly Case[] = [
  [
    'each message',
    one('StreamService/Count', { to: 3 }),
    { code: 'OK', messages: numbers(1, 2, 3) },
  ],
  ['no message', one('StreamService/Count', {}), { code: 'OK', messages: [] }],
  [
    'the messages before an error',
    one('StreamService/Count', { to: 2, failCode: 6 }),
    { code: 'ALREADY_EXISTS', message: 'told to fail', messages: numbers(1, 2) },
  ],
  [
    'one answer to many messages',
    { method: 'StreamService/Sum', messages: numbers(1, 2, 39) },
    { code: 'OK', messages: numbers(42) },
  ],
  [
    'one answer to compressed messages',
    { method: 'StreamService/Sum', messages: numbers(40, 2), coding: gzip },
    { code: 'OK', messages: numbers(42) },
  ],
  [
    'one answer to no message',
    { method: 'StreamService/Sum', messages: [] },
    { code: 'OK', messages: [{}] },
  ],
  [
    'UNIMPLEMENTED for no message where one is wanted',
    { method: 'StreamService/Count', messages: [] },
    { code: 'UNIMPLEMENTED', messages: [] },
  ],
  [
    'UNIMPLEMENTED for two messages where one is wanted',
    { method: 'StreamService/Count', messages: [{ to: 1 }, { to: 1 }] },
    { code: 'UNIMPLEMENTED', messages: [] },
  ],
  [
    'INVALID_ARGUMENT for a message of a stream that is none',
    { method: 'StreamService/Sum', messages: numbers(1), bytes: Buffer.from('{"num') },
    { code: 'INVALID_ARGUMENT', messages: [] },
  ],
  [
    'RESOURCE_EXHAUSTED for a message of a stream that unpacks to more than the limit',
    one('StreamService/Sum', { padding: 'x'.repeat(2_000_000) }, { coding: gzip }),
    { code: 'RESOURCE_EXHAUSTED', messages: [] },
  ],
];

const BIDI: readonly Case[] = [
  [
    'an answer to each message',
    { method: 'StreamService/Chat', messages: numbers(1, 2, 3) },
    { code: 'OK', messages: numbers(1, 2, 3) },
  ],
  [
    'answers in order to compressed messages, large and small',
    {
      method: 'StreamService/Chat',
      messages: [1, 2, 3, 4, 5, 6].map((number) => ({
        number,
        padding: 'x'.repeat(number % 2 === 0 ? 1 : 90_000),
      })),
      coding: gzip,
    },
    {
      code: 'OK',
      messages: numbers(1, 2, 3, 4, 5, 6),
    },
  ],
  [
    'the error of a message',
    { method: 'StreamService/Chat', messages: numbers(1, -5) },
    { code: 'NOT_FOUND', message: 'told to fail' },
  ],
];

/** Heads of messages that lie, whatever follows, as bytes before any base64. */
const HEADS: readonly (readonly [what: string, head: Buffer, code: string])[] = [
  ['a length beyond the limit', Buffer.from([0, 0xff, 0xff, 0xff, 0xff]), 'RESOURCE_EXHAUSTED'],
  ['a length beyond the body', Buffer.from([0, 0, 0, 0, 9, 0x7b]), 'INVALID_ARGUMENT'],
  ['half a head', Buffer.from([0, 0, 0]), 'INVALID_ARGUMENT'],
  [
    'trailers in place of a message',
    framed(0x80, Buffer.from('grpc-status: 0\r\n')),
    'INVALID_ARGUMENT',
  ],
  ['the end of a stream in place of a message', framed(2, Buffer.from('{}')), 'INVALID_ARGUMENT'],
  ['a compressed message without a coding', framed(1, gzipSync('{}')), 'INTERNAL'],
];

const inText = (dialect: RpcDialect, bytes: Buffer): Buffer =>
  dialect.protocol === 'grpc-web-text' ? Buffer.from(bytes.toString('base64')) : bytes;

/** All of them in this process; over a network, where mistakes of a caller wait for its refusal, some. */
const TRANSPORTS = [
  ['in-process', DIALECTS],
  ['http2', DIALECTS.filter((_, index) => [1, 4, 7].includes(index))],
] as const;

describe.each(TRANSPORTS)('over the transport %s', (transport, dialects) => {
  const keeper = gatekeeper();
  const rig = useRig(transport, [keeper.interceptor]);
  const served = useHost(rig);

  beforeAll(async () => {
    await rig.upstream.waitForReady(Date.now() + FAR_MS);
  });

  describe.each(dialects)('a caller of $protocol with $codec', (dialect) => {
    const cases =
      dialect.protocol === 'grpc' ? [...UNARY, ...STREAMS, ...BIDI] : [...UNARY, ...STREAMS];
    // Over HTTP/1 what HTTP/2 is not needed for.
    const url = (): string => (dialect.protocol === 'grpc' ? served.http2 : served.http1);

    it.each(cases)('gets %s', async (_what, ask, wanted) => {
      const headers = { ...ask.headers, ...CREDENTIALS };
      expect(await callRpc(url(), dialect, { ...ask, headers })).toMatchObject(wanted);
    });

    it.each(HEADS)('gets a status for %s', async (_what, head, code) => {
      for (const method of ['StreamService/Count', 'StreamService/Sum']) {
        const ask = { method, messages: [], body: inText(dialect, head), headers: CREDENTIALS };
        expect(await callRpc(url(), dialect, ask)).toMatchObject({ code, messages: [] });
      }
    });

    it('who is not admitted gets UNAUTHENTICATED, for any request', async () => {
      const before = rig.echo.calls.length;
      for (const [, ask] of [...UNARY, ...STREAMS].filter(
        ([, { headers }]) => headers === undefined,
      )) {
        const reply = await callRpc(url(), dialect, { ...ask, timeoutMs: FAR_MS });
        expect([ask, reply]).toEqual([
          ask,
          expect.objectContaining({
            code: 'UNAUTHENTICATED',
            message: 'who are you?',
            messages: [],
          }),
        ]);
      }
      expect(rig.echo.calls.length).toBe(before);
    });
  });

  it.each(BIDI)(
    'over HTTP/2 a caller of Connect and gRPC-Web gets %s',
    async (_what, ask, wanted) => {
      for (const dialect of DIALECTS) {
        const reply = await callRpc(served.http2, dialect, { ...ask, headers: CREDENTIALS });
        expect(reply).toMatchObject(wanted);
      }
    },
  );

  it.each(dialects.filter(({ protocol }) => protocol !== 'grpc'))(
    'every answer of $protocol with $codec has the same bytes over HTTP/1 and HTTP/2',
    async (dialect) => {
      // That of one method says when and by what connection it was called.
      const cases = [...UNARY, ...STREAMS].filter(([, { method }]) => !method.endsWith('Metadata'));
      for (const [, ask] of cases) {
        const asked = { ...ask, headers: { ...ask.headers, ...CREDENTIALS } };
        const [one, two] = await Promise.all(
          [served.http1, served.http2].map((url) => callRaw(url, dialect, asked)),
        );
        expect([ask, two!.http, two!.body.toString('latin1')]).toEqual([
          ask,
          one!.http,
          one!.body.toString('latin1'),
        ]);
      }
    },
  );
});

/** A host that speaks HTTP/1 and HTTP/2, in front of a rig. */
function useHost(rig: Rig): { readonly http1: string; readonly http2: string } {
  let urls = { http1: '', http2: '' };
  let close = (): Promise<unknown> => Promise.resolve();
  beforeAll(async () => {
    const gateway = new Gateway(rig.registry, rig.upstream, {
      protocols: ['connect', 'grpc-web', 'grpc'],
      maxBodyBytes: MAX_BYTES,
    });
    const host = await serveOnHost('http', (req, res) => gateway.handle(req, res));
    urls = { http1: host.http1, http2: `h2:${host.http2}` };
    close = () => host.close();
  });
  afterAll(() => close());
  return {
    get http1() {
      return urls.http1;
    },
    get http2() {
      return urls.http2;
    },
  };
}
