import { gzipSync } from 'node:zlib';
import { SERVER_LIMIT } from '../suite/expand.js';
import { SERVICE } from '../suite/schema.js';
import { envelope } from '../wire/frames.js';
import { type Dialect, type RawCall, type Shape, anyShape, politeCall } from './polite.js';
import type { Random } from './random.js';

const DIALECTS: readonly Dialect[] = ['connectUnary', 'connectStream', 'grpc', 'grpcWeb'];
const FRAMED: readonly Dialect[] = ['connectStream', 'grpc', 'grpcWeb'];
const BIG = Buffer.alloc(SERVER_LIMIT + 10);

type Fields = Readonly<Record<string, string | readonly string[] | undefined>>;
/** A kind of call: what is odd in it, and how it is made of a sound one. */
type Maker = (random: Random) => RawCall;

/** So many calls of all classes in turn. */
export function makeCalls(random: Random, count: number): RawCall[] {
  const makers = [...sound(), ...types(), ...verbs(), ...paths(), ...timeouts(), ...versions()];
  makers.push(...compressions(), ...frames(), ...messages(), ...gets(), ...sizes());
  return Array.from({ length: Math.max(count, makers.length) }, (_, at) => {
    const call = makers[at % makers.length]!(random);
    return { ...call, name: `${call.name} #${at}` };
  });
}

function sound(): Maker[] {
  // Several each, because these are what callers do.
  return Array.from({ length: 24 }, (_, at) => (random) => {
    const shape = anyShape(random, DIALECTS[at % 4]!);
    return politeCall(random, shape, `sound/${shape.dialect}/${shape.method}`);
  });
}

/** A sound call with one thing wrong. */
function odd(
  name: string,
  dialects: readonly Dialect[],
  change: (call: RawCall, random: Random, shape: Shape) => Partial<RawCall>,
): Maker[] {
  return dialects.map((dialect) => (random) => {
    const shape = anyShape(random, dialect);
    const call = politeCall(random, shape, `${name}/${dialect}`);
    return { ...call, isSound: false, ...change(call, random, shape) };
  });
}

function withFields({ head }: RawCall, fields: Fields): Pick<RawCall, 'head'> {
  const merged = Object.entries({ ...head.headers, ...fields });
  const headers = Object.fromEntries(
    merged.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  return { head: { ...head, headers } };
}

function types(): Maker[] {
  const all = [
    'text/plain',
    'application/xml',
    '',
    undefined,
    'application/connect+foo',
    'application/grpc+thrift',
    'application/grpc-web+thrift',
    'application/x-www-form-urlencoded',
    'application/json;charset=latin1',
    'application/',
  ];
  const polite = odd('type/json with a charset', ['connectUnary'], (call, _, { codec }) =>
    codec === 2 ? withFields(call, { 'content-type': 'application/json; charset=utf-8' }) : call,
  );
  const capitals = odd('type/capitals', DIALECTS, (call) =>
    withFields(call, { 'content-type': String(call.head.headers['content-type']).toUpperCase() }),
  );
  return [
    ...all.flatMap((type) =>
      odd(`type/${type ?? 'none'}`, DIALECTS.slice(0, 2), (call) =>
        withFields(call, { 'content-type': type }),
      ),
    ),
    ...polite,
    ...capitals,
  ];
}

function verbs(): Maker[] {
  return ['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'].flatMap((method) =>
    odd(`verb/${method}`, DIALECTS, (call) => ({
      head: { ...call.head, method },
      ...(['GET', 'HEAD', 'OPTIONS'].includes(method) && { body: [] }),
    })),
  );
}

function paths(): Maker[] {
  const all: Readonly<Record<string, string>> = {
    'unknown method': `/${SERVICE}/Nothing`,
    'unknown service': '/a.b.C/Unary',
    'trailing slash': `/${SERVICE}/Unary/`,
    'doubled slash': `//${SERVICE}/Unary`,
    'other case': `/${SERVICE}/unary`,
    'escaped slash': `/${SERVICE}%2FUnary`,
    'escaped letter': `/${SERVICE}/%55nary`,
    'dot segment': `/${SERVICE}/./Unary`,
    root: '/',
    'no method': `/${SERVICE}`,
  };
  return Object.entries(all).flatMap(([name, path]) =>
    odd(`path/${name}`, DIALECTS, (call) => ({ head: { ...call.head, path } })),
  );
}

function timeouts(): Maker[] {
  const connect = ['', 'abc', '-1', '99999999999', '1e3', '10s', ' 5000', '0x10'].flatMap((value) =>
    odd(`timeout/connect "${value}"`, DIALECTS.slice(0, 2), (call) =>
      withFields(call, { 'connect-timeout-ms': value }),
    ),
  );
  const grpc = ['', '10', '10x', '123456789m', '-1m', 'm', '1.5S', '5M'].flatMap((value) =>
    odd(`timeout/grpc "${value}"`, DIALECTS.slice(2), (call) =>
      withFields(call, { 'grpc-timeout': value }),
    ),
  );
  return [...connect, ...grpc];
}

function versions(): Maker[] {
  return [undefined, '2', '', 'v1'].flatMap((version) =>
    odd(`version/${version ?? 'none'}`, DIALECTS.slice(0, 2), (call) =>
      withFields(call, { 'connect-protocol-version': version }),
    ),
  );
}

const CODING_FIELDS: Readonly<Record<Dialect, readonly [sent: string, accepted: string]>> = {
  connectUnary: ['content-encoding', 'accept-encoding'],
  connectStream: ['connect-content-encoding', 'connect-accept-encoding'],
  grpc: ['grpc-encoding', 'grpc-accept-encoding'],
  grpcWeb: ['grpc-encoding', 'grpc-accept-encoding'],
};

function compressions(): Maker[] {
  return [
    ...odd('compression/unknown', DIALECTS, (call, _, { dialect }) =>
      withFields(call, { [CODING_FIELDS[dialect][0]]: 'lzma' }),
    ),
    ...odd('compression/only an unknown one is accepted', DIALECTS, (call, _, { dialect }) => ({
      ...withFields(call, { [CODING_FIELDS[dialect][1]]: 'lzma' }),
      isSound: true,
    })),
    ...odd('compression/broken gzip', DIALECTS, (call, _, { dialect }) => ({
      ...withFields(call, { [CODING_FIELDS[dialect][0]]: 'gzip' }),
      body: [inFrame(dialect, gzipSync('a message').subarray(0, 12), 1)],
    })),
    ...odd('compression/a bomb', DIALECTS, (call, _, { dialect }) => ({
      ...withFields(call, { [CODING_FIELDS[dialect][0]]: 'gzip' }),
      body: [inFrame(dialect, gzipSync(Buffer.alloc(5_000_000)), 1)],
    })),
    ...odd('compression/a flag without a name', FRAMED, (call, _, { dialect }) => ({
      ...withFields(call, { [CODING_FIELDS[dialect][0]]: undefined }),
      body: [envelope(1, gzipSync('a message'))],
    })),
  ];
}

function inFrame(dialect: Dialect, data: Uint8Array, flags: number): Buffer {
  return dialect === 'connectUnary' ? Buffer.from(data) : envelope(flags, data);
}

function frames(): Maker[] {
  const cut = (call: RawCall, by: number): Buffer[] => {
    const all = Buffer.concat(call.body);
    return [all.subarray(0, Math.max(0, all.length - by))];
  };
  return [
    ...odd('frame/cut within a message', FRAMED, (call) => ({ body: cut(call, 1) })),
    ...odd('frame/cut within its head', FRAMED, () => ({ body: [Buffer.from([0, 0, 0])] })),
    ...odd('frame/none', FRAMED, () => ({ body: [] })),
    ...odd('frame/a length beyond all bounds', FRAMED, () => ({
      body: [Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1, 2])],
    })),
    ...odd('frame/a reserved flag', FRAMED, (call) => ({
      body: [envelope(0x10, Buffer.alloc(0)), ...call.body],
    })),
    ...odd('frame/one byte at a time', FRAMED, (call) => ({
      body: [...Buffer.concat(call.body).subarray(0, 300)].map((byte) => Buffer.from([byte])),
    })),
  ];
}

function messages(): Maker[] {
  const json: Readonly<Record<string, string>> = {
    'no JSON': '{"responseDefinition"',
    'no object': '[1]',
    'unknown field': '{"nothing": 1}',
    'another type': '{"requestData": 17}',
    'no base64': '{"requestData": "*"}',
    'a field twice': '{"requestData": "AA==", "requestData": "AQ=="}',
    null: 'null',
    empty: '',
    'two members of a oneof':
      '{"responseDefinition": {"responseData": "AA==", "error": {"code": "CODE_INTERNAL"}}}',
  };
  const asType = (call: RawCall, dialect: Dialect, codec: string) =>
    withFields(call, {
      'content-type': String(call.head.headers['content-type']).replace(/(?:json|proto)$/, codec),
      [CODING_FIELDS[dialect][0]]: undefined,
    });
  return [
    ...Object.entries(json).flatMap(([name, text]) =>
      odd(`message/${name}`, DIALECTS, (call, _, { dialect }) => ({
        ...asType(call, dialect, 'json'),
        body: [inFrame(dialect, Buffer.from(text), 0)],
      })),
    ),
    ...odd('message/no protobuf', DIALECTS, (call, _, { dialect }) => ({
      ...asType(call, dialect, 'proto'),
      body: [inFrame(dialect, Buffer.from([0x0f]), 0)],
    })),
    ...odd('message/text that is not UTF-8', DIALECTS, (call, _, { dialect }) => ({
      ...asType(call, dialect, 'json'),
      body: [inFrame(dialect, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 0)],
    })),
  ];
}

function gets(): Maker[] {
  const path = `/${SERVICE}/IdempotentUnary`;
  const data = encodeURIComponent('{"responseDefinition":{"responseData":"AQID"}}');
  const all: Readonly<Record<string, string>> = {
    'sound JSON': `${path}?connect=v1&encoding=json&message=${data}`,
    'sound proto': `${path}?connect=v1&encoding=proto&base64=1&message=EgMBAgM`,
    'with padding': `${path}?connect=v1&encoding=proto&base64=1&message=EgEB%3D%3D`.replace(
      '%3D%3D',
      '%3D%3D',
    ),
    'no message': `${path}?connect=v1&encoding=json`,
    'an empty message': `${path}?connect=v1&encoding=proto&message=`,
    'no encoding': `${path}?connect=v1&message=${data}`,
    'an unknown encoding': `${path}?connect=v1&encoding=xml&message=${data}`,
    'no version': `${path}?encoding=json&message=${data}`,
    'another version': `${path}?connect=v2&encoding=json&message=${data}`,
    'no base64': `${path}?connect=v1&encoding=proto&base64=1&message=*`,
    compressed: `${path}?connect=v1&encoding=json&base64=1&compression=gzip&message=${gzipSync('{}').toString('base64url')}`,
    'an unknown compression': `${path}?connect=v1&encoding=json&compression=lzma&message=${data}`,
    'a method with side effects': `/${SERVICE}/Unary?connect=v1&encoding=json&message=${data}`,
    'a stream': `/${SERVICE}/ServerStream?connect=v1&encoding=json&message=${data}`,
    'no query': path,
    'an unknown parameter': `${path}?connect=v1&encoding=json&other=1&message=${data}`,
    'no JSON': `${path}?connect=v1&encoding=json&message=%7B`,
  };
  const sounds = new Set(['sound JSON', 'sound proto']);
  return Object.entries(all).map(([name, target]) => (random) => ({
    name: `get/${name}`,
    version: random.pick([1, 2]),
    head: { method: 'GET', path: target, headers: { 'user-agent': 'apix-conformance' } },
    body: [],
    isSound: sounds.has(name),
  }));
}

function sizes(): Maker[] {
  return odd('size/above the limit', DIALECTS, (call, _, { dialect }) => ({
    ...withFields(call, { [CODING_FIELDS[dialect][0]]: undefined }),
    body: [inFrame(dialect, BIG, 0)],
  }));
}
