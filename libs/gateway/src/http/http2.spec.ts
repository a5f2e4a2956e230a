import { once } from 'node:events';
import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  createSecureServer,
  createServer,
} from 'node:http2';
import { type AddressInfo, type Socket, connect as connectTcp } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { CERTIFICATE, KEY } from '../../../../tools/testing/certificate.js';
import { until } from '../../../../tools/testing/until.js';
import { useRig } from '../fixtures/rig.fixture.js';
import { Gateway } from './gateway.js';
import type { GatewayOptions } from './gateway-options.js';

const rig = useRig();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

interface Reply {
  readonly status: number;
  readonly json: unknown;
}

interface Talk {
  readonly gateway: Gateway;
  /** Sends headers, then each part of the body as frames of its own. */
  readonly ask: (
    headers: Readonly<Record<string, string>>,
    body?: readonly string[],
  ) => Promise<Reply>;
  readonly session: ClientHttp2Session;
}

const SERVERS = [
  ['in clear text', 'http', () => createServer()],
  [
    'with TLS',
    'https',
    () => createSecureServer({ cert: CERTIFICATE, key: KEY, allowHTTP1: true }),
  ],
] as const;

describe.each(SERVERS)('a request over HTTP/2 %s', (_how, scheme, create) => {
  async function start(options: GatewayOptions = {}): Promise<Talk> {
    const gateway = new Gateway(rig.registry, rig.upstream, options);
    const server = create();
    server.on('request', (req, res) =>
      gateway.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse),
    );
    gateway.serveUpgrades(server as unknown as Server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const session = connect(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false });
    closing.push(() => new Promise((closed) => session.close(() => server.close(closed))));
    return {
      gateway,
      session,
      async ask(headers, body) {
        const stream = session.request(headers, { endStream: body === undefined });
        for (const part of body ?? []) await new Promise((sent) => stream.write(part, sent));
        if (body !== undefined) stream.end();
        return replyOf(stream);
      },
    };
  }

  const post = { ':method': 'POST', ':path': '/v1/whole', 'content-type': 'application/json' };

  it.each<[string, Readonly<Record<string, string>>, readonly string[] | undefined, unknown]>([
    ['without a length', post, ['{"str":"body"}'], { str: 'body' }],
    ['without a length, in several frames', post, ['{"str"', ':"bo', 'dy"}'], { str: 'body' }],
    ['with a length', { ...post, 'content-length': '14' }, ['{"str":"body"}'], { str: 'body' }],
    ['that is empty', post, [], {}],
    ['that its headers rule out', post, undefined, {}],
    ['that is empty, of no media type', { ':method': 'POST', ':path': '/v1/whole' }, [], {}],
    [
      'that is empty, to a rule without body',
      { ':path': '/v1/query?str=a', ':method': 'GET' },
      [],
      { str: 'a' },
    ],
    [
      'that its headers rule out, to a rule without',
      { ':path': '/v1/query?str=a' },
      undefined,
      { str: 'a' },
    ],
  ])('a request with a body %s is served', async (_what, headers, body, json) => {
    const { ask, gateway } = await start();
    expect(await ask(headers, body)).toEqual({ status: 200, json });
    expect(gateway.counts).toEqual({ active: 0, served: new Map([[200, 1]]) });
  });

  it('a request has its body read to the end, 1 MB of it', async () => {
    const { ask } = await start();
    const str = 'x'.repeat(1_000_000);
    expect(await ask(post, [`{"str":"${str}"}`])).toEqual({ status: 200, json: { str } });
  });

  it.each<[string, Readonly<Record<string, string>>, string, number, RegExp]>([
    [
      'to a rule without one',
      { ':path': '/v1/query', ':method': 'GET' },
      '{}',
      400,
      /takes no body/,
    ],
    ['of another media type', { ...post, 'content-type': 'text/plain' }, '{}', 415, /json/],
    ['that is compressed', { ...post, 'content-encoding': 'gzip' }, '{}', 415, /compress|gzip/],
    ['beyond the limit', post, `{"str":"${'x'.repeat(200)}"}`, 413, /more than 100 bytes/],
  ])('a request with a body %s is refused', async (_what, headers, body, status, detail) => {
    const { ask, gateway } = await start({ maxBodyBytes: 100 });
    const reply = await ask(headers, [body]);
    expect([reply.status, (reply.json as { detail: string }).detail]).toEqual([
      status,
      expect.stringMatching(detail),
    ]);
    expect(gateway.counts.active).toBe(0);
  });

  it('a request that announces the length of a body of another media type is refused before it has come', async () => {
    const { session, gateway } = await start();
    const headers = { ...post, 'content-type': 'text/plain', 'content-length': '100' };
    const stream = session.request(headers, { endStream: false });
    expect((await replyOf(stream)).status).toBe(415);
    expect(gateway.counts.active).toBe(0);
    stream.close();
  });

  it('a request whose body does not end in time is refused', async () => {
    const { session } = await start({ bodyTimeout: '50ms' });
    const stream = session.request(post, { endStream: false });
    stream.write('{');
    expect((await replyOf(stream)).status).toBe(408);
    stream.close();
  });
});

describe('a request over HTTP/2 that breaks off within its body', () => {
  const CODES = { DATA: 0, HEADERS: 1, RST_STREAM: 3, SETTINGS: 4 } as const;
  /** RFC 9113 §4.1: length, type, flags, stream. */
  const frame = (
    type: keyof typeof CODES,
    flags: number,
    stream: number,
    payload: Buffer,
  ): Buffer => {
    const head = Buffer.alloc(9);
    head.writeUIntBE(payload.length, 0, 3);
    head.writeUInt8(CODES[type], 3);
    head.writeUInt8(flags, 4);
    head.writeUInt32BE(stream, 5);
    return Buffer.concat([head, payload]);
  };
  /** RFC 7541 §6.2.2: a literal of a new name, not indexed. */
  const field = (name: string, value: string): Buffer =>
    Buffer.concat([
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]);
  const END_HEADERS = 4;
  const reset = (code: number): Buffer => frame('RST_STREAM', 0, 1, Buffer.from([0, 0, 0, code]));

  it.each<[string, (socket: Socket) => void]>([
    ['by a reset with NO_ERROR', (socket) => void socket.write(reset(0))],
    ['by a reset with CANCEL', (socket) => void socket.write(reset(8))],
    ['as its connection ends', (socket) => void socket.end()],
    ['as its connection is reset', (socket) => void socket.resetAndDestroy()],
  ])(
    'a request that breaks off %s is cancelled: what came is not the whole',
    async (_how, breakOff) => {
      const gateway = new Gateway(rig.registry, rig.upstream);
      const server = createServer();
      const arrived = new Promise<void>((resolve) => {
        server.on('request', (req, res) => {
          req.once('data', () => resolve());
          gateway.handle(req as unknown as IncomingMessage, res as unknown as ServerResponse);
        });
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const socket = connectTcp((server.address() as AddressInfo).port, '127.0.0.1');
      socket.on('error', () => {}).resume();
      closing.push(() => {
        socket.destroy();
        return new Promise((closed) => server.close(closed));
      });
      const before = rig.echo.calls.length;
      const headers = [
        field(':method', 'POST'),
        field(':scheme', 'http'),
        field(':path', '/v1/whole'),
        field(':authority', 'x'),
        field('content-type', 'application/json'),
      ];
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(frame('SETTINGS', 0, 0, Buffer.alloc(0)));
      socket.write(frame('HEADERS', END_HEADERS, 1, Buffer.concat(headers)));
      socket.write(frame('DATA', 0, 1, Buffer.from('{"str":"half"}')));
      await arrived;
      breakOff(socket);
      await until(() => gateway.counts.active === 0);
      expect(rig.echo.calls.length).toBe(before);
      expect(gateway.counts.served).toEqual(new Map([[499, 1]]));
    },
  );
});

async function replyOf(stream: ClientHttp2Stream): Promise<Reply> {
  const headers = once(stream, 'response') as Promise<[{ ':status'?: number }]>;
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const [{ ':status': status = 0 }] = await headers;
  await once(stream, 'end');
  return { status, json: JSON.parse(text) as unknown };
}
