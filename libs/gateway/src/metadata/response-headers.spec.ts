import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Metadata } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { useRig } from '../fixtures/rig.fixture.js';
import { ask } from '../fixtures/serve.fixture.js';
import { Gateway } from '../http/gateway.js';
import { headersOf } from './response-headers.js';

describe.each(['network', 'http2', 'in-process'] as const)('over the transport %s', (transport) => {
  const rig = useRig(transport);
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  it.each([
    'cache-control',
    'content-disposition',
    'content-language',
    'etag',
    'expires',
    'last-modified',
    'link',
    'location',
    'retry-after',
    'vary',
    'www-authenticate',
  ])('a server sets the header %s by metadata of this name', async (name) => {
    const { headers } = await ask(await rig.start(), `/v1/metadata?headers=${name}=value`);
    expect(headers[name]).toBe('value');
    expect(headers).not.toHaveProperty(`grpc-metadata-${name}`);
  });

  it('a response with more metadata than HTTP/2 can carry is sent with what there is room for', async () => {
    const gateway = new Gateway(rig.registry, rig.upstream);
    const server = createServer((req, res) =>
      gateway.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    closing.push(
      () => session.destroy(),
      () => server.close(),
    );
    const named = (what: string): string[] =>
      Array.from({ length: 90 }, (_, index) => `${what}s=${what}-${index}=v`);
    const path = `/v1/metadata?${[...named('header'), ...named('trailer')].join('&')}`;
    const stream = session.request({ ':path': path });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    const keys = Object.keys(headers);
    expect(headers[':status']).toBe(200);
    expect(keys.filter((key) => key.startsWith('grpc-metadata-'))).toHaveLength(60);
    expect(keys.filter((key) => key.startsWith('grpc-trailer-'))).toHaveLength(40);
  });
});

describe('headers of response metadata', () => {
  it('are left out key by key beyond 32 KiB, and those of trailers beyond 16 KiB', () => {
    const metadata = new Metadata();
    metadata.set('a', 'x'.repeat(15_000));
    metadata.set('b', 'x'.repeat(15_000));
    metadata.set('c', 'x'.repeat(15_000));
    metadata.set('etag', '"1"');
    const plain = new Set(['etag']);
    expect([...headersOf(metadata, 'grpc-metadata-', plain).keys()]).toEqual([
      'grpc-metadata-a',
      'grpc-metadata-b',
      'etag',
    ]);
    expect([...headersOf(metadata, 'grpc-trailer-', plain).keys()]).toEqual([
      'grpc-trailer-a',
      'etag',
    ]);
  });
});
