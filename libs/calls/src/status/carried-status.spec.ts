import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  type ServiceError,
  credentials,
  status,
} from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { RpcException } from '@nestjs/microservices';
import { createServer as createHttpServer } from 'node:http';
import { type ServerHttp2Stream, constants, createServer } from 'node:http2';
import { type AddressInfo, type Socket, createServer as createNetServer } from 'node:net';
import { encodeBadRequest } from './bad-request.js';
import { carriedStatus, isGrpcClientError } from './carried-status.js';
import { Code, StatusError } from '@apix/contracts';
import { encodeStatus } from './encode-status.js';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const encode = (text: string): Buffer => Buffer.from(text);

interface Ask {
  readonly deadline?: number;
  readonly tls?: boolean;
  readonly decode?: (bytes: Buffer) => string;
  readonly request?: (text: string) => Buffer;
  readonly options?: Record<string, string | number>;
  readonly cancel?: boolean;
}

/** What a unary call of a grpc-js client fails with. */
function failing(target: string, ask: Ask = {}): Promise<ServiceError> {
  const { tls = false, decode = String, request = encode, options, cancel = false } = ask;
  const made = tls ? credentials.createSsl() : credentials.createInsecure();
  const client = new Client(target, made, options);
  closers.push(() => client.close());
  const deadline = Date.now() + (ask.deadline ?? 10_000);
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest('/s/M', request, decode, 'x', { deadline }, (error) =>
      error === null ? reject(new Error('it succeeded')) : resolve(error),
    );
    if (cancel) setImmediate(() => call.cancel());
  });
}

type Listening = { listen(port: number, host: string, done: () => void): unknown };

async function addressOf(server: Listening & { address(): unknown }): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const OK = { ':status': 200, 'content-type': 'application/grpc' };

/** An HTTP/2 server that answers each call in its way. */
async function http2(behave: (stream: ServerHttp2Stream) => void): Promise<string> {
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {});
    behave(stream);
  });
  closers.push(() => server.close());
  return addressOf(server);
}

/** A server that begins an answer, and then does something. */
const begun = (
  then: (stream: ServerHttp2Stream) => void,
  headers: Record<string, string | number> = OK,
) =>
  http2((stream) => {
    stream.respond(headers, { waitForTrailers: true });
    stream.write(Buffer.alloc(0), () => setImmediate(then, stream));
  });

/** One that accepts connections, and does something with each. */
async function tcp(behave: (socket: Socket) => void): Promise<string> {
  const server = createNetServer((socket) => {
    socket.on('error', () => {});
    closers.push(() => socket.destroy());
    behave(socket);
  });
  closers.push(() => server.close());
  return addressOf(server);
}

async function webServer(): Promise<string> {
  const server = createHttpServer((_, res) => res.end('hello'));
  closers.push(() => server.close());
  return addressOf(server);
}

const reset = (code: number) => begun((stream) => stream.close(code));
const answering = (message: Buffer, headers: Record<string, string | number> = OK) =>
  begun((stream) => stream.write(message), headers);
const { NGHTTP2_CANCEL, NGHTTP2_ENHANCE_YOUR_CALM, NGHTTP2_INADEQUATE_SECURITY } = constants;
const { NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM, NGHTTP2_NO_ERROR } = constants;
/** A message of one byte, whose decoder the test chooses. */
const BYTE = Buffer.from([0, 0, 0, 0, 1, 65]);
const throwing = (): never => {
  throw new Error('secret of a decoder');
};
const roundRobin = JSON.stringify({ loadBalancingConfig: [{ round_robin: {} }] });

const retrying = JSON.stringify({
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        maxAttempts: 2,
        initialBackoff: '0.01s',
        maxBackoff: '0.01s',
        backoffMultiplier: 1,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
});

const OWN: readonly (readonly [string, () => Promise<ServiceError>, keyof typeof Code])[] = [
  ['a closed port', () => failing('127.0.0.1:1'), 'UNAVAILABLE'],
  [
    'a closed port, balanced',
    () => failing('127.0.0.1:1', { options: { 'grpc.service_config': roundRobin } }),
    'UNAVAILABLE',
  ],
  ['a name that does not resolve', () => failing('nowhere.invalid:1'), 'UNAVAILABLE'],
  ['a target that cannot be read', () => failing('ipv4:nonsense'), 'UNAVAILABLE'],
  [
    'a deadline that passed before',
    () => failing('127.0.0.1:1', { deadline: -1 }),
    'DEADLINE_EXCEEDED',
  ],
  [
    'a server that accepts and says nothing',
    async () => failing(await tcp(() => {}), { deadline: 100 }),
    'DEADLINE_EXCEEDED',
  ],
  ['a server that hangs up', async () => failing(await tcp((it) => it.destroy())), 'UNAVAILABLE'],
  [
    'a call without an answer in time',
    async () => failing(await http2(() => {}), { deadline: 300 }),
    'DEADLINE_EXCEEDED',
  ],
  ['a cancelled call', async () => failing(await http2(() => {}), { cancel: true }), 'CANCELLED'],
  [
    'a connection dropped under way',
    async () => failing(await begun(({ session }) => session?.destroy())),
    'UNAVAILABLE',
  ],
  [
    'a connection dropped before an answer, twice',
    async () =>
      failing(await http2(({ session }) => session?.destroy()), {
        options: { 'grpc.service_config': retrying },
      }),
    'UNAVAILABLE',
  ],
  [
    'a connection dropped before an answer',
    async () => failing(await http2(({ session }) => session?.destroy())),
    'UNAVAILABLE',
  ],
  ['a web server', async () => failing(await webServer()), 'UNAVAILABLE'],
  [
    'TLS with a server that has none',
    async () => failing(await begun(() => {}), { tls: true }),
    'UNAVAILABLE',
  ],
  ['a refused stream', async () => failing(await reset(NGHTTP2_REFUSED_STREAM)), 'UNAVAILABLE'],
  ['a stream that is reset', async () => failing(await reset(NGHTTP2_CANCEL)), 'CANCELLED'],
  ['a stream that breaks', async () => failing(await reset(NGHTTP2_INTERNAL_ERROR)), 'INTERNAL'],
  ['a stream without a status', async () => failing(await reset(NGHTTP2_NO_ERROR)), 'INTERNAL'],
  [
    'a server that asks for calm',
    async () => failing(await reset(NGHTTP2_ENHANCE_YOUR_CALM)),
    'RESOURCE_EXHAUSTED',
  ],
  [
    'a server that wants more security',
    async () => failing(await reset(NGHTTP2_INADEQUATE_SECURITY)),
    'PERMISSION_DENIED',
  ],
  [
    'a response that is too large',
    async () => failing(await answering(Buffer.from([0, 1, 0, 0, 0]))),
    'RESOURCE_EXHAUSTED',
  ],
  [
    'a request that is too large',
    async () => failing(await http2(() => {}), { options: { 'grpc.max_send_message_length': 0 } }),
    'RESOURCE_EXHAUSTED',
  ],
  [
    'a response that cannot be unpacked',
    async () =>
      failing(await answering(Buffer.from([1, 0, 0, 0, 1, 0]), { ...OK, 'grpc-encoding': 'gzip' })),
    'INTERNAL',
  ],
  [
    'a response that cannot be parsed',
    async () => failing(await answering(BYTE), { decode: throwing }),
    'INTERNAL',
  ],
  [
    'a request that cannot be written',
    async () => failing(await http2(() => {}), { request: throwing }),
    'INTERNAL',
  ],
  [
    'an answer without a message',
    async () =>
      failing(await http2((it) => it.respond({ ...OK, 'grpc-status': 0 }, { endStream: true }))),
    'UNIMPLEMENTED',
  ],
  ...([401, 403, 404, 429, 502, 500] as const).map((http, index) => {
    const code = (
      [
        'UNAUTHENTICATED',
        'PERMISSION_DENIED',
        'UNIMPLEMENTED',
        'UNAVAILABLE',
        'UNAVAILABLE',
        'UNKNOWN',
      ] as const
    )[index]!;
    const page = { ':status': http, 'content-type': 'text/html', server: 'proxy at 10.0.0.5' };
    const ask = async (): Promise<ServiceError> =>
      failing(await http2((it) => it.respond(page, { endStream: true })));
    return [`a proxy that answers ${http}`, ask, code] as const;
  }),
];

describe('the status of a client', () => {
  it.each(OWN)('for %s is not from a server', async (_, make, code) => {
    const error = await make();
    expect(isGrpcClientError(error)).toBe(true);
    expect([error.details, Code[error.code]]).toEqual([expect.any(String), code]);
    expect(carriedStatus(error)).toMatchObject({ fromServer: false, error: { code: Code[code] } });
    expect(carriedStatus(new RpcException(error))).toMatchObject({ fromServer: false });
  });
});

/** A gRPC server that ends every call like this. */
async function grpcServer(
  code: status,
  details: string,
  { metadata = new Metadata(), headers = false } = {},
): Promise<string> {
  const server = new Server();
  const definition = {
    M: {
      path: '/s/M',
      requestStream: false,
      responseStream: false,
      requestSerialize: encode,
      requestDeserialize: String,
      responseSerialize: encode,
      responseDeserialize: String,
    },
  } as const;
  server.addService(definition, {
    M: (call: { sendMetadata(it: Metadata): void }, done: (error: object) => void) => {
      if (headers) call.sendMetadata(new Metadata());
      done({ code, details, metadata });
    },
  });
  closers.push(() => server.forceShutdown());
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return `127.0.0.1:${port}`;
}

const CODES = Object.values(Code).filter(
  (code): code is Code => typeof code === 'number' && code !== Code.OK,
);

describe('the status of a server', () => {
  it.each(CODES.map((code) => [Code[code], code] as const))(
    '%s reaches the caller word for word',
    async (_, code) => {
      const error = await failing(await grpcServer(code as number, 'ask ada: 5 Grüße'));
      const carried = carriedStatus(error)!;
      expect(carried).toMatchObject({
        fromServer: true,
        error: { code, message: 'ask ada: 5 Grüße' },
      });
      expect(carried.error.cause).toBe(error);
    },
  );

  it.each([Code.PERMISSION_DENIED, Code.UNAUTHENTICATED, Code.NOT_FOUND, Code.DEADLINE_EXCEEDED])(
    'that came after response headers is one of a server: %s',
    async (code) => {
      const target = await grpcServer(code as number, 'the account is locked', { headers: true });
      const carried = carriedStatus(await failing(target));
      expect(carried).toMatchObject({
        fromServer: true,
        error: { message: 'the account is locked' },
      });
    },
  );

  it.each([
    [Code.CANCELLED, 'Cancelled on client request'],
    [Code.DEADLINE_EXCEEDED, 'Deadline exceeded after two tries'],
    [Code.PERMISSION_DENIED, 'Failed to find your name on the list'],
    [Code.UNIMPLEMENTED, 'No addresses resolved yet: planned for May'],
    [Code.UNAUTHENTICATED, 'Connection dropped off the list of trusted ones'],
  ])(
    'with words that are like those of a client is one of a server: %s, %s',
    async (code, words) => {
      const target = await grpcServer(code as number, words, { headers: true });
      expect(carriedStatus(await failing(target))).toMatchObject({
        fromServer: true,
        error: { message: words },
      });
    },
  );

  it.each([Code.UNKNOWN, Code.INTERNAL, Code.UNAVAILABLE])(
    'that came after response headers, without metadata, may be of the client: %s',
    async (code) => {
      const target = await grpcServer(code as number, '10.0.0.5 is down', { headers: true });
      expect(carriedStatus(await failing(target))).toMatchObject({ fromServer: false });
    },
  );

  it('keeps its trailers and details, but not what gRPC and HTTP write themselves', async () => {
    const violation = { field: 'name', description: 'is taken', reason: 'taken' };
    const details = [encodeBadRequest([violation]), { typeUrl: 'a/b', value: Buffer.from('c') }];
    const metadata = new Metadata();
    metadata.set('x-why', 'closed');
    metadata.add('x-twice', 'a');
    metadata.add('x-twice', 'b');
    metadata.set('x-raw-bin', Buffer.from([0, 255]));
    metadata.set('grpc-status-details-bin', encodeStatus(Code.NOT_FOUND, 'x', details));
    const target = await grpcServer(status.NOT_FOUND, 'gone', { metadata });
    const { error } = carriedStatus(await failing(target))!;
    expect(error).toMatchObject({ code: Code.NOT_FOUND, message: 'gone' });
    expect(error.trailers).toEqual({
      'x-why': 'closed',
      'x-twice': 'a, b',
      'x-raw-bin': Buffer.from([0, 255]),
    });
    expect(error.details.map(({ typeUrl, value }) => [typeUrl, Buffer.from(value)])).toEqual(
      details.map(({ typeUrl, value }) => [typeUrl, Buffer.from(value)]),
    );
  });

  it('loses details that cannot be read, and nothing else', async () => {
    const metadata = new Metadata();
    metadata.set('grpc-status-details-bin', Buffer.from([0x1a, 0xff]));
    metadata.set('x-why', 'closed');
    const { error } = carriedStatus(
      await failing(await grpcServer(status.NOT_FOUND, 'gone', { metadata })),
    )!;
    expect([error.message, error.details, error.trailers]).toEqual([
      'gone',
      [],
      { 'x-why': 'closed' },
    ]);
  });
});

const metadata = new Metadata();
metadata.set('x-why', 'closed');
const foreign = (more: object): Error => Object.assign(new Error('10.0.0.5'), more);

describe('an error', () => {
  const own = new StatusError(Code.ABORTED, 'again');
  it.each<[string, unknown, object]>([
    ['a StatusError', own, own],
    [
      'an RpcException with a code, a message and metadata',
      new RpcException({ code: 7, message: 'no', metadata }),
      { code: 7, message: 'no', trailers: { 'x-why': 'closed' } },
    ],
    [
      'an RpcException with a code and details',
      new RpcException({ code: 7, details: 'no' }),
      { code: 7, message: 'no' },
    ],
    ['an RpcException of a StatusError', new RpcException(own), own],
  ])('that carries a status, %s', (_, error, expected) => {
    expect(carriedStatus(error)).toMatchObject({ fromServer: true, error: expected });
  });

  const loop = new RpcException('x');
  Object.assign(loop, { getError: () => loop });

  it.each<[string, unknown]>([
    ['an Error with a code and details', foreign({ code: 7, details: 'x' })],
    ['an object with a code and details', { code: 7, details: 'x' }],
    ['an object with all of it', { code: 7, details: 'x', metadata }],
    ['a system error', foreign({ code: 'ECONNREFUSED' })],
    ['a database error', foreign({ code: '42', detail: 'x' })],
    ['a code that is not one', foreign({ code: 99, details: 'x', metadata })],
    ['a code in a string', foreign({ code: '7', details: 'x', metadata })],
    ['OK', foreign({ code: 0, details: 'x', metadata })],
    ['metadata that is not of gRPC', foreign({ code: 7, details: 'x', metadata: {} })],
    ['an RpcException of a text', new RpcException('no')],
    ['an RpcException with OK', new RpcException({ code: 0, message: 'come in' })],
    ['an RpcException of a database error', new RpcException(foreign({ code: 6 }))],
    ['an RpcException of itself', loop],
    ['a StatusError of OK', { [Symbol.for('apix.StatusError')]: true, code: 0 }],
    ['nothing', undefined],
  ])('without a status carries none: %s', (_, error) => {
    expect(carriedStatus(error)).toBeUndefined();
  });
});
