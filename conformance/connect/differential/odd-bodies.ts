import { gzipSync } from 'node:zlib';
import { SERVER_LIMIT } from '../suite/expand.js';
import { SERVICE } from '../suite/schema.js';
import { envelope } from '../wire/frames.js';
import { CODING_FIELDS, DIALECTS, FRAMED, type Maker, inFrame, odd, withFields } from './odd.js';
import type { Dialect, RawCall } from './polite.js';

const BIG = Buffer.alloc(SERVER_LIMIT + 10);

/** Bodies that are compressed, framed or written in an odd way, or too large. */
export function oddBodies(): Maker[] {
  return [...compressions(), ...frames(), ...messages(), ...sizes()];
}

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

const TYPES: Readonly<Record<Dialect, string>> = {
  connectUnary: 'application',
  connectStream: 'application/connect',
  grpc: 'application/grpc',
  grpcWeb: 'application/grpc-web',
};
/** Asks for trailers, as soon as there is a message. */
const TRAILED = Buffer.from(
  '{"responseDefinition":{"responseTrailers":[{"name":"x-test-tail","value":["end"]}]}}',
);

function frames(): Maker[] {
  const cut = (call: RawCall, by: number): Buffer[] => {
    const all = Buffer.concat(call.body);
    return [all.subarray(0, Math.max(0, all.length - by))];
  };
  return [
    ...odd('frame/cut within a message', FRAMED, (call) => ({ body: cut(call, 1) })),
    ...odd('frame/cut after a message', FRAMED, (call, _, { dialect }) => ({
      version: 2,
      head: {
        ...withFields(call, {
          'content-type': `${TYPES[dialect]}+json`,
          [CODING_FIELDS[dialect][0]]: undefined,
        }).head,
        path: `/${SERVICE}/BidiStream`,
      },
      body: [envelope(0, TRAILED), Buffer.from([0, 0, 0, 0, 9, 1])],
    })),
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

function sizes(): Maker[] {
  return odd('size/above the limit', DIALECTS, (call, _, { dialect }) => ({
    ...withFields(call, { [CODING_FIELDS[dialect][0]]: undefined }),
    body: [inFrame(dialect, BIG, 0)],
  }));
}
