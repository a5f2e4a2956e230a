import { once } from 'node:events';
import { connect } from 'node:http2';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ProtoRegistry } from '@apix/proto/core';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  FileDescriptorSetSchema,
  MethodOptions_IdempotencyLevel as Level,
  MethodOptionsSchema,
} from '@bufbuild/protobuf/wkt';
import { create } from '@bufbuild/protobuf';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { serveOnHost } from '../../../../../tools/testing/host-server.js';
import { until } from '../../../../../tools/testing/until.js';
import { TRANSCODING } from '../../fixtures/echo-server.fixture.js';
import { CREDENTIALS, gatekeeper } from '../../fixtures/gatekeeper.fixture.js';
import { DIALECTS, callRpc } from '../../fixtures/rpc-client.fixture.js';
import { rawHttp } from '../../fixtures/raw-http.fixture.js';
import { useRig } from '../../fixtures/rig.fixture.js';
import { sendRaw } from '../../fixtures/send-raw.fixture.js';
import { type Served, ask, serve } from '../../fixtures/serve.fixture.js';
import { Gateway } from '../gateway.js';
import type { GatewayOptions } from '../gateway-options.js';
import { Base64Reader, inBase64 } from './base64-text.js';
import { FRAMES, RpcFrameReader, framed } from './message-frames.js';
import type { FramingReader } from './protocol.js';
import { RPC_CORS } from './rpc-cors.js';
import { Unpacker } from './unpacker.js';

const ALL = ['rest', 'connect', 'grpc-web', 'grpc'] as const;
const JSON_TYPE = { 'content-type': 'application/json', ...CREDENTIALS };
const QUERY = '/transcoding.v1.EchoService/Query';
const METADATA = '/transcoding.v1.EchoService/Metadata';

/** The descriptors, in which `Metadata` has no side effects. */
function registryWithGet(): ProtoRegistry {
  const set = fromBinary(FileDescriptorSetSchema, new Uint8Array(readFileSync(TRANSCODING)));
  const methods = set.file.flatMap(({ service }) => service).flatMap(({ method }) => method);
  const method = methods.find(({ name }) => name === 'Metadata')!;
  method.options ??= create(MethodOptionsSchema);
  method.options.idempotencyLevel = Level.NO_SIDE_EFFECTS;
  return ProtoRegistry.load(toBinary(FileDescriptorSetSchema, set));
}

const keeper = gatekeeper();
const rig = useRig('in-process', [keeper.interceptor]);
const open: Served[] = [];
const start = async (options: GatewayOptions = {}): Promise<number> => {
  const gateway = new Gateway(registryWithGet(), rig.upstream, { protocols: ALL, ...options });
  const served = await serve(gateway.handle);
  open.push(served);
  return served.port;
};
let port: number;
beforeAll(async () => {
  port = await start();
});
afterAll(() => Promise.all(open.map((it) => it.close())));

const get = (parameters: Record<string, string>): string =>
  `${METADATA}?${new URLSearchParams(parameters).toString()}`;
const MESSAGE = JSON.stringify({ headers: ['x-test-a=1'] });

describe('a call by GET', () => {
  it.each<[string, Record<string, string>]>([
    ['JSON', { encoding: 'json', message: MESSAGE }],
    [
      'JSON in base64',
      { encoding: 'json', base64: '1', message: Buffer.from(MESSAGE).toString('base64url') },
    ],
    [
      'compressed JSON, and says the version',
      {
        connect: 'v1',
        encoding: 'json',
        base64: '1',
        compression: 'gzip',
        message: gzipSync(MESSAGE).toString('base64'),
      },
    ],
    ['binary', { encoding: 'proto', message: '\n\nx-test-a=1' }],
    [
      'JSON, among parameters that nobody knows',
      { encoding: 'json', message: MESSAGE, '': '', _: '1' },
    ],
  ])('may have its message as %s', async (_how, parameters) => {
    const answer = await ask(port, get(parameters), { headers: CREDENTIALS });
    expect([answer.status, answer.headers['x-test-a']]).toEqual([200, '1']);
  });

  it.each<[string, string, number]>([
    ['a method that may have side effects', `${QUERY}?encoding=json&message={}`, 405],
    ['no encoding', `${METADATA}?message={}`, 415],
    ['an unknown encoding', `${METADATA}?encoding=xml&message={}`, 415],
    ['no message', `${METADATA}?encoding=json`, 400],
    ['a message twice', `${METADATA}?encoding=json&message={}&message={}`, 400],
    ['a broken escape', `${METADATA}?encoding=json&message=%7`, 400],
    [
      'a message twice, once spelled otherwise',
      `${METADATA}?encoding=json&message={}&%6dessage={}`,
      400,
    ],
    ['an encoding twice', `${METADATA}?encoding=json&encoding=json&message={}`, 400],
    ['an encoding in capitals', `${METADATA}?encoding=JSON&message={}`, 415],
    ['parameters after semicolons', `${METADATA}?encoding=json;message={}`, 415],
    ['bytes that are not UTF-8', `${METADATA}?encoding=json&message=%FF%FE`, 400],
    [
      'a message that is not compressed',
      `${METADATA}?encoding=json&compression=gzip&message={}`,
      400,
    ],
    ...['!', 'e', 'e30wA', 'e3=0', 'e30===', '%FF'].map((text): [string, string, number] => [
      `base64 that is ${text}`,
      `${METADATA}?encoding=proto&base64=1&message=${text}`,
      400,
    ]),
    ...['v2', '1', '', 'vv1', 'V1'].map((version): [string, string, number] => [
      `the version ${version}`,
      `${METADATA}?connect=${version}&encoding=json&message={}`,
      400,
    ]),
    ['an unknown compression', `${METADATA}?encoding=json&compression=lzma&message={}`, 501],
  ])('is refused for %s', async (_what, path, status) => {
    expect((await ask(port, path, { headers: CREDENTIALS })).status).toBe(status);
  });

  it('is refused if it has a body', async () => {
    const how = { headers: CREDENTIALS, body: '{}' };
    expect((await ask(port, get({ encoding: 'json', message: '{}' }), how)).status).toBe(400);
  });

  const cached = async (headers: string[], more: Record<string, string> = CREDENTIALS) => {
    const path = get({ encoding: 'json', message: JSON.stringify({ headers }) });
    const answer = await ask(port, path, { headers: more });
    return [answer.status, answer.headers['cache-control'], answer.headers.vary];
  };
  it.each<[string, string[], string]>([
    ['is not kept where the server does not say', [], 'private, no-cache'],
    [
      'that came with credentials is not for shared caches',
      ['cache-control=public, max-age=60, s-maxage=600'],
      'private, max-age=60',
    ],
    [
      'that the server gives to nobody is given to nobody',
      ['cache-control=no-store'],
      'private, no-store',
    ],
  ])('has an answer that %s', async (_what, headers, wanted) => {
    expect(await cached(headers)).toEqual([200, wanted, 'authorization, accept-language']);
  });

  it('of a caller without credentials may have an answer for shared caches', async () => {
    const own = await startOpen();
    const path = get({
      encoding: 'json',
      message: '{"headers":["cache-control=public, max-age=60"]}',
    });
    const { headers } = await ask(own, path);
    expect([headers['cache-control'], headers.vary]).toEqual([
      'public, max-age=60',
      'authorization, accept-language',
    ]);
  });

  it('that is denied is not cached', async () => {
    expect(await cached([], {})).toEqual([401, 'no-store', 'authorization, accept-language']);
  });
});

/** A gateway in front of a server that lets all in. */
const openRig = useRig('in-process');
async function startOpen(): Promise<number> {
  const gateway = new Gateway(registryWithGet(), openRig.upstream, { protocols: ['connect'] });
  const served = await serve(gateway.handle);
  open.push(served);
  return served.port;
}

describe('headers', () => {
  it('are metadata under their own names, without those that callers may not set', async () => {
    const headers = {
      ...JSON_TYPE,
      'x-test-a': ['1', '2'],
      'x-test-b-bin': 'AQI, AwQ',
      'x-user': 'admin',
      'x-apix-forwarded': '0',
      'grpc-metadata-x-test-c': '1',
      'if-none-match': '"e"',
      'connect-timeout-ms': '60000',
      cookie: 'a=b',
      origin: 'https://shop.example',
    };
    const { json } = await ask(port, METADATA, { method: 'POST', headers, body: '{}' });
    const { metadata } = json as { metadata: Record<string, string> };
    const own = Object.keys(metadata).toSorted();
    expect(own).toEqual([
      'authorization',
      'x-apix-forwarded',
      'x-forwarded-for',
      'x-forwarded-host',
      'x-request-id',
      'x-test-a',
      'x-test-b-bin',
    ]);
    expect(metadata).toMatchObject({ 'x-test-a': '1, 2', 'x-apix-forwarded': '1' });
  });

  it('of the server are those of the answer, without names of HTTP, of CORS and of cookies', async () => {
    const names = [
      'x-test',
      'etag',
      'set-cookie',
      'access-control-allow-origin',
      'connection',
      'x-request-id',
    ];
    const body = JSON.stringify({ headers: names.map((name) => `${name}=set`) });
    const { headers } = await ask(port, METADATA, { method: 'POST', headers: JSON_TYPE, body });
    const set = Object.entries(headers).filter(([, value]) => [value].flat().includes('set'));
    expect(set.map(([name]) => name).toSorted()).toEqual(['etag', 'x-test']);
  });

  it('let pages of other origins call and read, where the app lets them', () => {
    expect(RPC_CORS.allowedHeaders).toEqual(
      expect.arrayContaining(['Connect-Timeout-Ms', 'X-Grpc-Web']),
    );
    expect(RPC_CORS.exposedHeaders).toEqual(
      expect.arrayContaining(['Grpc-Status', 'Grpc-Message']),
    );
  });
});

describe('answers', () => {
  const big = { method: 'POST', body: JSON.stringify({ str: 'x'.repeat(5_000) }) };

  it('are compressed if the option says so and the caller accepts it', async () => {
    const own = await start({ compress: true });
    for (const [accepted, used] of [
      ['gzip', 'gzip'],
      ['br;q=0.1, deflate', 'deflate'],
      ['lzma', undefined],
    ]) {
      const headers = { ...JSON_TYPE, 'accept-encoding': accepted! };
      const answer = await ask(own, QUERY, { ...big, headers });
      expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([
        used,
        'accept-encoding',
      ]);
    }
    const headers = { ...JSON_TYPE, 'accept-encoding': 'gzip' };
    expect(
      (await ask(port, QUERY, { ...big, headers })).headers['content-encoding'],
    ).toBeUndefined();
  });

  it('of streams are compressed message by message, in their order', async () => {
    const own = await start({ compress: true });
    const headers = {
      ...CREDENTIALS,
      'content-type': 'application/connect+json',
      'connect-accept-encoding': 'gzip',
    };
    const body = framed(0, Buffer.from('{"to":20,"padding":3000}'));
    const answer = await sendRaw(
      `http://127.0.0.1:${own}`,
      '/transcoding.v1.StreamService/Count',
      headers,
      body,
    );
    expect(answer.headers['connect-content-encoding']).toBe('gzip');
    expect(answer.body.length).toBeLessThan(10_000);
    // An end has a flag that requests do not have.
    const end = answer.body.subarray(-7);
    expect(end.toString('latin1')).toBe('\u0002\0\0\0\u0002{}');
    const frames = [...new RpcFrameReader(10_000).read(answer.body.subarray(0, -7))];
    const numbers = frames.map(
      ({ bytes }) => (JSON.parse(gunzipSync(bytes).toString()) as { number: number }).number,
    );
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it.each([
    ['another method', 'PUT', JSON_TYPE, 405],
    ['another content type', 'POST', { 'content-type': 'image/jpeg' }, 415],
    ['no content type', 'POST', {}, 415],
    [
      'the content type of a stream for a unary method',
      'POST',
      { 'content-type': 'application/connect+json' },
      415,
    ],
    ['another charset', 'POST', { 'content-type': 'application/json; charset=latin1' }, 415],
    ['gRPC over HTTP/1', 'POST', { 'content-type': 'application/grpc' }, 505],
    [
      'a content type in a list',
      'POST',
      { 'content-type': 'application/json,application/json' },
      415,
    ],
    ['a format that nobody speaks', 'POST', { 'content-type': 'application/grpc-web+thrift' }, 415],
  ])('are a status of HTTP for %s', async (_what, method, headers, status) => {
    expect((await ask(port, QUERY, { method, headers, body: '{}' })).status).toBe(status);
  });

  it('are 505 for a method that streams in both directions over HTTP/1', async () => {
    const headers = { 'content-type': 'application/connect+json', ...CREDENTIALS };
    const { status } = await ask(port, '/transcoding.v1.StreamService/Chat', {
      method: 'POST',
      headers,
    });
    expect(status).toBe(505);
  });

  it.each([
    'Application/JSON',
    'application/json;charset="utf-8"',
    'application/json ; charset=',
    'application/json;a=b;;',
  ])('are the same for the content type %s', async (type) => {
    const headers = { ...JSON_TYPE, 'content-type': type };
    const { json } = await ask(port, QUERY, { method: 'POST', headers, body: '{"str":"a"}' });
    expect(json).toEqual({ str: 'a' });
  });

  it.each(['HEAD', 'GET', 'PUT', 'PATCH', 'DELETE', 'TRACE'])(
    'are 405 for %s, with what is allowed, for gRPC as for Connect',
    async (method) => {
      for (const type of ['application/json', 'application/grpc-web']) {
        const headers = { ...CREDENTIALS, 'content-type': type };
        const { status, headers: answered } = await ask(port, QUERY, { method, headers });
        expect([status, answered.allow]).toEqual([405, 'POST, OPTIONS']);
      }
    },
  );

  it.each(['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override'])(
    'are those of the method that was sent, whatever %s says',
    async (name) => {
      const how = {
        method: 'POST',
        headers: { ...JSON_TYPE, [name]: 'DELETE' },
        body: '{"str":"a"}',
      };
      expect((await ask(port, QUERY, how)).json).toEqual({ str: 'a' });
    },
  );

  it.each([
    '/transcoding.v1.EchoService/Query/',
    '//transcoding.v1.EchoService/Query',
    '/transcoding.v1.EchoService%2FQuery',
    '/transcoding.v1.echoservice/query',
    '/transcoding.v1.EchoService/%51uery',
  ])('are 404 for the path %s', async (path) => {
    expect((await ask(port, path, { method: 'POST', headers: JSON_TYPE, body: '{}' })).status).toBe(
      404,
    );
  });
});

describe('a caller who is not let in', () => {
  it.each(['application/json', 'application/connect+json', 'application/grpc-web-text'])(
    'gets its answer before a body of %s has come, and none of it is kept',
    async (contentType) => {
      const stream = contentType === 'application/json' ? 'EchoService/Query' : 'StreamService/Sum';
      const client = await rawHttp(port);
      await client.send(
        `POST /transcoding.v1.${stream} HTTP/1.1\r\nhost: x\r\ncontent-type: ${contentType}\r\ncontent-length: 1000\r\n\r\n{"str":`,
      );
      expect(await client.until('who')).toMatch(/connection: close/i);
      client.socket.destroy();
    },
  );
});

describe('a caller who is not let in, in the same process', () => {
  it.each(DIALECTS.filter(({ protocol }) => protocol !== 'grpc'))(
    'has no byte of its body read, by $protocol with $codec',
    async (dialect) => {
      const haveRead: boolean[] = [];
      const gateway = new Gateway(rig.registry, rig.upstream, { protocols: ALL });
      const served = await serve((req, res) => {
        // Once it has ended, Node itself reads the rest away.
        const end = res.end.bind(res) as (...all: unknown[]) => typeof res;
        res.end = (...all: unknown[]) => {
          haveRead.push(req.readableDidRead);
          return end(...all);
        };
        gateway.handle(req, res);
      });
      open.push(served);
      const coding = { name: 'gzip', pack: gzipSync };
      for (const method of ['EchoService/Query', 'StreamService/Sum']) {
        const messages = [
          { [method.startsWith('Echo') ? 'str' : 'padding']: 'x'.repeat(1_000_000) },
        ];
        const url = `http://127.0.0.1:${served.port}`;
        const { code } = await callRpc(url, dialect, { method, messages, coding });
        expect(code).toBe('UNAUTHENTICATED');
      }
      expect(haveRead).toEqual([false, false]);
    },
  );
});

describe('a timeout', () => {
  const odd = (values: (string | string[])[]) => values.map((it): [string | string[]] => [it]);
  const send = async (contentType: string, name: string, value: string | string[]) => {
    const headers = { ...JSON_TYPE, 'content-type': contentType, [name]: value };
    const isUnary = contentType === 'application/json';
    const body = Buffer.from('{}');
    const { http, headers: answered } = await sendRaw(
      `http://127.0.0.1:${port}`,
      QUERY,
      headers,
      isUnary ? body : framed(0, body),
    );
    return answered['grpc-status'] ?? http;
  };

  it.each(odd(['-1', '+5', '12345678901', '1e3', '5.5', '0x10', 'abc', '', ['1000', '2000']]))(
    'of Connect is refused if it is %j',
    async (value) => {
      expect(await send('application/json', 'connect-timeout-ms', value)).toBe(400);
    },
  );

  it.each(odd(['1', 'm', '-1S', '123456789S', '1s', '5 S', '1.5S', '', ['1S', '2S']]))(
    'of gRPC is refused if it is %j',
    async (value) => {
      expect(await send('application/grpc-web+json', 'grpc-timeout', value)).toBe('3');
    },
  );

  it.each([
    ['application/json', 'connect-timeout-ms', '0', 504],
    ['application/grpc-web+json', 'grpc-timeout', '0n', '4'],
    ['application/json', 'connect-timeout-ms', '9999999999', 200],
    // Its status is in the last frame.
    ['application/grpc-web+json', 'grpc-timeout', '99999999H', 200],
  ])('of %s and %s may be %s', async (contentType, name, value, status) => {
    expect(await send(contentType, name, value)).toBe(status);
  });
});

describe('the body of one message', () => {
  const message = framed(0, Buffer.from('{}'));
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'UNIMPLEMENTED'],
    ['a second message', Buffer.concat([message, message]), 'UNIMPLEMENTED'],
    ['a part of a head', Buffer.from([0, 0]), 'INVALID_ARGUMENT'],
    ['a message that breaks off', message.subarray(0, 6), 'INVALID_ARGUMENT'],
    ['more than a message', Buffer.concat([message, Buffer.from('xx')]), 'INVALID_ARGUMENT'],
    ['the flag 4', framed(4, Buffer.from('{}')), 'INVALID_ARGUMENT'],
    ['the end of a stream', framed(2, Buffer.from('{}')), 'INVALID_ARGUMENT'],
    [
      'trailers in the middle',
      Buffer.concat([framed(0x80, Buffer.from('a: b\r\n')), message]),
      'INVALID_ARGUMENT',
    ],
    ['a length of 0xffffffff', Buffer.from([0, 255, 255, 255, 255, 1]), 'RESOURCE_EXHAUSTED'],
    ['a compressed message without a coding', framed(1, Buffer.from('{}')), 'INTERNAL'],
  ])('that has %s gets its status by every protocol', async (_what, body, code) => {
    const url = `http://127.0.0.1:${port}`;
    const codes = await Promise.all(
      (['connect', 'grpc-web', 'grpc-web-text'] as const).map(async (protocol) => {
        const dialect = { protocol, codec: 'json' } as const;
        const sent = protocol === 'grpc-web-text' ? Buffer.from(body.toString('base64')) : body;
        const method = 'StreamService/Count';
        const reply = await callRpc(url, dialect, {
          method,
          messages: [],
          body: sent,
          headers: CREDENTIALS,
        });
        return reply.code;
      }),
    );
    expect(codes).toEqual([code, code, code]);
  });
});

describe('large compressed messages', () => {
  const bomb = { isCompressed: true, bytes: gzipSync(Buffer.alloc(1_000_000)) };

  it('are decompressed in other threads, four at a time, if they are still wanted then', async () => {
    const unpacker = new Unpacker();
    let [turns, most, running] = [0, 0, 0];
    const unpacked = Array.from({ length: 20 }, async (_, index) => {
      const all = unpacker.unpack(bomb, 'gzip', 1_000_000, () => {
        turns += 1;
        running += 1;
        most = Math.max(most, running);
        return index < 12;
      });
      expect(all).toBeInstanceOf(Promise);
      try {
        return (await all).length;
      } catch {
        return 'not wanted';
      } finally {
        running -= 1;
      }
    });
    expect(turns).toBe(4);
    const lengths = await Promise.all(unpacked);
    expect(lengths).toEqual(lengths.map((_, index) => (index < 12 ? 1_000_000 : 'not wanted')));
    expect(turns).toBe(20);
    expect(most).toBeLessThanOrEqual(5);
  });

  it('that are small once they are decompressed are there at once', () => {
    const small = { isCompressed: true, bytes: gzipSync(Buffer.alloc(65_536)) };
    expect(new Unpacker().unpack(small, 'gzip', 1_000_000, () => true)).toHaveLength(65_536);
  });

  it.each([
    ['more than may be', bomb, 'request message: more than 999999 bytes'],
    [
      'broken after 64 KiB',
      {
        isCompressed: true,
        bytes: Buffer.concat([bomb.bytes.subarray(0, 500), Buffer.alloc(500, 1)]),
      },
      'it is not gzip',
    ],
  ])('that are %s are refused', async (_what, frame, message) => {
    const unpacker = new Unpacker();
    await expect(
      (async () => unpacker.unpack(frame, 'gzip', 999_999, () => true))(),
    ).rejects.toThrow(message);
  });
});

describe('a call in both directions over HTTP/2', () => {
  let host: Awaited<ReturnType<typeof serveOnHost>>;
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = new Gateway(rig.registry, rig.upstream, { protocols: ALL });
    host = await serveOnHost('http', (req, res) => gateway.handle(req, res));
  });
  afterAll(() => host.close());

  const chat = (contentType: string, session = connect(host.http2)) => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/transcoding.v1.StreamService/Chat',
      'content-type': contentType,
      ...CREDENTIALS,
    });
    return { session, stream };
  };

  it.each(['application/connect+json', 'application/grpc-web+json', 'application/grpc+json'])(
    'answers each message before the next one is sent, by %s',
    async (contentType) => {
      const { session, stream } = chat(contentType);
      for (const number of [1, 2, 3]) {
        stream.write(framed(0, Buffer.from(JSON.stringify({ number }))));
        const [answer] = (await once(stream, 'data')) as [Buffer];
        expect(JSON.parse(answer.subarray(5).toString())).toEqual({ number });
      }
      stream.end();
      await once(stream.resume(), 'close');
      session.close();
    },
  );

  it('leaves nothing behind when its caller goes, a thousand times', async () => {
    const [before, gone] = [rig.echo.cancelled(), gateway.counts.served.get(499) ?? 0];
    const sessions = Array.from({ length: 20 }, () => connect(host.http2));
    const streams = sessions.flatMap((session) =>
      Array.from({ length: 50 }, () => chat('application/connect+json', session).stream),
    );
    await Promise.all(
      streams.map(async (stream) => {
        stream.write(framed(0, Buffer.from('{"number":1}')));
        await once(stream, 'data');
      }),
    );
    expect(gateway.counts.active).toBe(1_000);
    for (const stream of streams) stream.close(8);
    await until(() => rig.echo.cancelled() === before + 1_000);
    await until(() => gateway.counts.active === 0);
    expect(gateway.counts.served.get(499)).toBe(gone + 1_000);
    await Promise.all(
      sessions.map(async (session) => {
        session.close();
        if (!session.destroyed) await once(session, 'close');
      }),
    );
  });

  it('is cancelled for the server when its caller goes', async () => {
    const before = rig.echo.cancelled();
    const { session, stream } = chat('application/grpc+json');
    stream.write(framed(0, Buffer.from('{"number":1}')));
    await once(stream, 'data');
    stream.close(8);
    await until(() => rig.echo.cancelled() > before);
    session.close();
  });
});

describe('bytes in pieces', () => {
  const bytes = Buffer.concat([1, 2, 300].map((length) => framed(0, Buffer.alloc(length, 'x'))));
  const lengthsOf = (pieces: Buffer[]): number[] => {
    const reader = new RpcFrameReader(300);
    const found = pieces.flatMap((piece) => [...reader.read(piece)]);
    reader.end();
    return found.map((frame) => frame.bytes.length);
  };

  it.each([1, 2, 3, 5, 7, 64, 1_000])('are the same messages, %i at a time', (size) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    );
    expect(lengthsOf(pieces)).toEqual([1, 2, 300]);
    const text = new Base64Reader();
    const padded = pieces.map((piece) => piece.toString('base64')).join('');
    const cut = padded.match(new RegExp(`.{1,${size}}`, 'g')) ?? [];
    expect(lengthsOf(cut.map((part) => text.read(Buffer.from(part))))).toEqual([1, 2, 300]);
  });

  it('may be megabytes of base64 at once', () => {
    const large = Buffer.alloc(5_000_000, 'x');
    expect(new Base64Reader().read(Buffer.from(large.toString('base64'))).length).toBe(5_000_000);
  });

  it('use no more memory than the bytes received, for any announced length', () => {
    const reader = new RpcFrameReader(2 ** 31);
    const before = process.memoryUsage().arrayBuffers;
    expect([...reader.read(Buffer.from([0, 0x7f, 0xff, 0xff, 0xff, 1]))]).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
  });

  it('are the same messages, however they are cut, padded and compressed', () => {
    const pieces = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 30 });
    const messages = fc.array(
      fc.record({ flag: fc.constantFrom(0, 1), bytes: fc.uint8Array({ maxLength: 300 }) }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(messages, pieces, pieces, (all, cuts, paddings) => {
        const whole = Buffer.concat(all.map(({ flag, bytes: each }) => framed(flag, each)));
        const wanted = all.map(({ flag, bytes: each }) => [
          flag === 1,
          Buffer.from(each).toString('hex'),
        ]);
        const found = (reader: FramingReader, body: Buffer) => {
          const frames = inPieces(body, cuts).flatMap((piece) => [...reader.read(piece)]);
          reader.end();
          expect(reader.heldBytes).toBe(0);
          return frames.map(({ isCompressed, bytes: each }) => [
            isCompressed,
            each.toString('hex'),
          ]);
        };
        expect(found(FRAMES.reader(300), whole)).toEqual(wanted);
        // Each part is padded for itself, as a client may write it.
        const text = inPieces(whole, paddings)
          .map((part) => part.toString('base64'))
          .join('');
        expect(found(inBase64(FRAMES).reader(300), Buffer.from(text))).toEqual(wanted);
      }),
    );
  });

  it('that break off are refused, wherever that is', () => {
    const whole = framed(0, Buffer.alloc(20, 'x'));
    for (let length = 1; length < whole.length; length++) {
      const reader = FRAMES.reader(300);
      expect([...reader.read(whole.subarray(0, length))]).toEqual([]);
      expect(() => reader.end()).toThrow('request body: ends within a message');
    }
  });

  it.each(['AAA', 'A=AA', '====', 'AA=A', 'AA A', 'AAAA=', 'AAAA\r\n', '-_AA', 'AA==AA'])(
    'are refused where base64 is %s',
    (text) => {
      const reader = new Base64Reader();
      expect(() => {
        reader.read(Buffer.from(text));
        reader.end();
      }).toThrow('request body: is not base64');
    },
  );
});

/** Cut into pieces of these sizes, over and over. */
function inPieces(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (let index = 0; at < bytes.length; index++) {
    const size = sizes[index % sizes.length]! + (index % sizes.length === 0 ? 1 : 0);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe('the option protocols', () => {
  const build = (options: object) => () => new Gateway(rig.registry, rig.upstream, options);

  it.each<[object, string]>([
    [
      { protocols: ['conect'] },
      'protocols[0]: "conect" is not a protocol of the gateway; did you mean connect?',
    ],
    [
      { protocols: ['soap'] },
      '"soap" is not a protocol of the gateway; use one of rest, connect, grpc-web, grpc',
    ],
    [{ protocols: [] }, 'protocols: must have at least one of rest, connect, grpc-web, grpc'],
    [{ protocols: 'rest' }, 'protocols: must be an array, not "rest"'],
    [{ protocols: ['connect'], exclude: ['nope.Nope'] }, 'the descriptors have no method'],
    [
      { protocols: ['connect'], rules: [{ selector: 'a.B.C', get: '/x' }] },
      'rules: need the protocol rest',
    ],
    [
      {
        protocols: ['rest', 'connect'],
        rules: [{ selector: 'transcoding.v1.EchoService.Query', post: QUERY, body: '*' }],
      },
      'has the path at which the other protocols serve transcoding.v1.EchoService/Query',
    ],
  ])('refuses %j', (options, message) => {
    expect(build(options)).toThrow(message);
  });

  it('serves by REST alone by default, and leaves out what exclude names', async () => {
    const plain = await start({ protocols: ['rest'] });
    const post = { method: 'POST', headers: JSON_TYPE, body: '{}' };
    expect((await ask(plain, QUERY, post)).status).toBe(404);
    const some = await start({ exclude: ['transcoding.v1.EchoService.Query'] });
    expect((await ask(some, QUERY, post)).status).toBe(404);
    expect((await ask(some, METADATA, post)).status).toBe(200);
  });

  it('serves methods below the mount path, and answers OPTIONS with what it allows', async () => {
    const own = await start({ mount: '/rpc' });
    const answer = await ask(own, `/rpc${METADATA}`, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.allow]).toEqual([204, 'GET, POST, OPTIONS']);
    expect((await ask(own, METADATA, { method: 'OPTIONS' })).status).toBe(404);
  });
});
