import { Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { type ClientHttp2Session, connect, constants, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { isKeyOfOneCall, isTransportKey, sendableMetadata } from './sendable-metadata.js';

const UNSENDABLE = [
  ':path',
  ':status',
  '__proto__',
  'connection',
  'content-length',
  'content-type',
  'grpc-accept-encoding',
  'grpc-encoding',
  'grpc-message',
  'grpc-status',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
];
const OF_ONE_CALL = [
  'content-encoding',
  'date',
  'grpc-status-details-bin',
  'grpc-timeout',
  'host',
  'trailer',
  'user-agent',
];
const FREE = ['authorization', 'hostname', 'retry-pushback-ms', 'tenant', 'x-grpc-status'];

type Pairs = readonly (readonly [string, string | Buffer])[];

function metadataOf(pairs: Pairs): Metadata {
  const metadata = new Metadata();
  for (const [key, value] of pairs) metadata.add(key, value);
  return metadata;
}

const warnings: unknown[][] = [];
beforeAll(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation((...args) => void warnings.push(args));
});
afterAll(() => void jest.restoreAllMocks());

describe('metadata of an answer', () => {
  it.each<[string, Pairs]>([
    ['text', [['x-why', 'policy']]],
    ['bytes', [['x-why-bin', Buffer.from([0, 255])]]],
    ['typed details', [['grpc-status-details-bin', Buffer.alloc(20_000)]]],
    ['a push-back for retries', [['grpc-retry-pushback-ms', '100']]],
    ['nothing', []],
  ])('with %s is the same object', (_, pairs) => {
    const metadata = metadataOf(pairs);
    expect(sendableMetadata(metadata)).toBe(metadata);
  });

  it.each([
    'connection',
    'Connection',
    'upgrade',
    'keep-alive',
    'proxy-connection',
    'transfer-encoding',
    'http2-settings',
    'te',
    'content-length',
    'content-type',
    'grpc-status',
    'grpc-message',
    'grpc-encoding',
    'grpc-accept-encoding',
    ':status',
    'a:b',
    '__proto__',
  ])('loses the key %s, and nothing else', (key) => {
    const metadata = metadataOf([
      [key, 'close'],
      ['x-why', 'policy'],
    ]);
    expect(sendableMetadata(metadata)?.toJSON()).toEqual({ 'x-why': ['policy'] });
    expect(metadata.get(key)).toEqual(['close']);
  });

  it('joins the text values of a key, and leaves bytes apart', () => {
    const metadata = metadataOf([
      ['etag', '"a"'],
      ['etag', '"b"'],
      ['x-bin', Buffer.from('a')],
      ['x-bin', Buffer.from('b')],
    ]);
    expect(sendableMetadata(metadata)?.toJSON()).toEqual({
      etag: ['"a", "b"'],
      'x-bin': [Buffer.from('a'), Buffer.from('b')],
    });
  });

  it.each<[string, Pairs]>([
    ['a value of 100 kB', [['x-big', 'x'.repeat(100_000)]]],
    ['bytes that are too many once they are base64', [['x-big-bin', Buffer.alloc(48_000)]]],
    [
      'values that are too long together',
      Array.from({ length: 50 }, () => ['x-big', 'x'.repeat(1_000)] as const),
    ],
  ])('leaves out %s, and keeps the rest', (_, pairs) => {
    const metadata = metadataOf([['x-a', '1'], ...pairs, ['x-b', '2']]);
    expect(sendableMetadata(metadata)?.toJSON()).toEqual({ 'x-a': ['1'], 'x-b': ['2'] });
  });

  it('has at most 100 keys', () => {
    const metadata = metadataOf(Array.from({ length: 300 }, (_, i) => [`x-${i}`, 'v'] as const));
    expect(Object.keys(sendableMetadata(metadata)!.toJSON())).toHaveLength(100);
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a plain object', { 'x-why': 'policy' }],
    ['text', 'x-why: policy'],
    ['what cannot be read', revoked()],
  ])('is null where it is %s', (_, value) => {
    expect(sendableMetadata(value)).toBeNull();
  });

  it('loses values that are neither text nor bytes', () => {
    const metadata = metadataOf([['x-why', 'policy']]);
    metadata.set('x-none', undefined as unknown as string);
    metadata.set('x-bytes-bin', undefined as unknown as string);
    expect(sendableMetadata(metadata)?.toJSON()).toEqual({ 'x-why': ['policy'] });
  });
});

it('the process is warned of the first key that is left out for a reason', async () => {
  jest.resetModules();
  const { sendableMetadata: fresh } = await import('./sendable-metadata.js');
  warnings.length = 0;
  for (const key of ['connection', 'upgrade']) fresh(metadataOf([[key, 'x']]));
  for (const key of ['x-a', 'x-b']) fresh(metadataOf([[key, 'x'.repeat(100_000)]]));
  const code = { code: 'APIX_METADATA_LEFT_OUT' };
  expect(warnings).toEqual([
    [
      'apix: metadata "connection" was left out of an answer: ' +
        'gRPC and HTTP/2 keep such keys to themselves',
      code,
    ],
    [
      'apix: metadata "x-a" was left out of an answer: ' +
        'answers carry at most 49152 bytes and 100 keys of metadata',
      code,
    ],
  ]);
});

describe('a server of node:http2', () => {
  const server = createServer();
  let session: ClientHttp2Session;
  let next: Metadata;
  const errors: unknown[] = [];

  beforeAll(async () => {
    server.on('stream', (stream) => {
      stream.on('error', (error) => errors.push(error));
      try {
        const sent = next.toHttp2Headers() as Record<string, string>;
        stream.respond({ ':status': 200, ...sent }, { waitForTrailers: true });
        stream.once('wantTrailers', () => {
          try {
            stream.sendTrailers(sent);
          } catch (error) {
            errors.push(error);
            stream.close();
          }
        });
        stream.end('x');
      } catch (error) {
        errors.push(error);
        stream.close();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  afterAll(() => {
    session.destroy();
    server.close();
  });

  async function send(metadata: Metadata): Promise<void> {
    next = metadata;
    const request = session.request({ ':path': '/' });
    request.on('error', (error) => errors.push(error));
    request.resume();
    await new Promise((resolve) => request.on('close', resolve));
  }

  const names = Object.entries(constants)
    .filter(([constant]) =>
      /^HTTP2_HEADER_(?!METHOD|SCHEME|AUTHORITY|PATH|PROTOCOL)/.test(constant),
    )
    .map(([, name]) => String(name));

  it('sends every header that Node knows, given once and twice', async () => {
    expect(names.length).toBeGreaterThan(50);
    for (const name of names) {
      await send(sendableMetadata(metadataOf([[name, 'a']]))!);
      await send(
        sendableMetadata(
          metadataOf([
            [name, 'a'],
            [name, 'b'],
          ]),
        )!,
      );
    }
    expect(errors).toEqual([]);
  });

  it('sends whatever grpc-js takes as metadata', async () => {
    const key = fc.oneof(
      fc.constantFrom(...names),
      fc.stringMatching(/^[:0-9a-z_.-]{1,20}$/).filter((text) => !text.endsWith('-bin')),
    );
    const pair = fc.oneof(
      fc.tuple(key, fc.stringMatching(/^[ -~]*$/)),
      fc.tuple(
        fc.constantFrom('x-bin', 'grpc-status-details-bin'),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(pair), async (pairs) => {
        await send(sendableMetadata(metadataOf(pairs))!);
        expect(errors).toEqual([]);
      }),
    );
  });
});

describe('a metadata key', () => {
  it.each(UNSENDABLE)('%s is neither sent nor passed on', (key) => {
    expect([isTransportKey(key), isKeyOfOneCall(key)]).toEqual([true, true]);
  });

  it.each(OF_ONE_CALL)('%s is sent, and not passed on from another call', (key) => {
    expect([isTransportKey(key), isKeyOfOneCall(key)]).toEqual([false, true]);
  });

  it.each(FREE)('%s is sent and passed on', (key) => {
    expect([isTransportKey(key), isKeyOfOneCall(key)]).toEqual([false, false]);
  });
});

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
