import { type Message, type MessageInitShape, create } from '@bufbuild/protobuf';
import { anyPack } from '@bufbuild/protobuf/wkt';
import { connectStream, connectUnary } from '../protocols/connect.js';
import { grpc, grpcWeb } from '../protocols/grpc.js';
import type { ClientProtocol, Writing } from '../protocols/protocol.js';
import { Codec, Compression } from '../suite/axes.js';
import { type ClientCall, HeaderSchema, methodOf, schemaOf } from '../suite/schema.js';
import type { Head } from '../wire/connection.js';
import type { Random } from '../../random.js';

/** A request as it is sent to both servers. */
export interface RawCall {
  /** The class, and what is odd in it. */
  readonly name: string;
  readonly version: 1 | 2;
  readonly head: Head;
  readonly body: readonly Buffer[];
  /** Nobody refuses it: the text of its error is the handler's. */
  readonly isSound: boolean;
}

const PROTOCOLS = { connectUnary, connectStream, grpc, grpcWeb };
export type Dialect = keyof typeof PROTOCOLS;
export type MethodName =
  'Unary' | 'IdempotentUnary' | 'ServerStream' | 'ClientStream' | 'BidiStream';

export interface Shape extends Writing {
  readonly dialect: Dialect;
  readonly method: MethodName;
  readonly version: 1 | 2;
}

const STREAMS: readonly MethodName[] = ['ServerStream', 'ClientStream', 'BidiStream'];
const CallSchema = schemaOf<ClientCall>('ClientCompatRequest');
const MESSAGES = ['', 'gone', 'nicht möglich ☺ 😈', 'one\r\ntwo\t%41', 'x'.repeat(300)];

/** A shape that its protocol and its version of HTTP can have. */
export function anyShape(random: Random, dialect: Dialect): Shape {
  const isUnary = dialect === 'connectUnary';
  const streams = dialect === 'connectStream' ? STREAMS : (['Unary', ...STREAMS] as const);
  const method = isUnary ? 'Unary' : random.pick(streams);
  const needsHttp2 = dialect === 'grpc' || method === 'BidiStream';
  const { identity, gzip, br, deflate } = Compression;
  return {
    dialect,
    method,
    version: needsHttp2 ? 2 : random.pick([1, 2]),
    codec: random.pick(Object.values(Codec)),
    compression: random.pick([identity, gzip, br, deflate]),
  };
}

/** A call without fault: metadata, data, and perhaps an error with details. */
export function politeCall(random: Random, shape: Shape, name: string): RawCall {
  const { method, version } = shape;
  const protocol: ClientProtocol = PROTOCOLS[shape.dialect];
  const requests = requestsOf(random, method);
  const call = create(CallSchema, {
    requestMessages: requests,
    ...(random.below(3) === 0 && { timeoutMs: 60_000 }),
  });
  const { headers, ...head } = protocol.head(call, methodOf(method), shape);
  return {
    name,
    version,
    head: { ...head, headers: { ...headers, ...metadataOf(random) } },
    body: requests.map((message) => protocol.encode(message, shape)),
    isSound: true,
  };
}

function metadataOf(random: Random): Record<string, string | string[]> {
  return random.pick([
    {},
    { 'x-test-one': 'a value' },
    { 'x-test-two': ['first', 'second'], 'x-test-raw-bin': random.bytes(7).toString('base64') },
    { 'x-test-raw-bin': random.bytes(6).toString('base64'), 'x-test-empty': '' },
  ]);
}

function requestsOf(random: Random, method: MethodName) {
  const isStream = method === 'ClientStream' || method === 'BidiStream';
  const count = isStream ? 1 + random.below(3) : 1;
  const schema = schemaOf<Message>(`${method}Request`);
  return Array.from({ length: count }, (_, at) => {
    const init = at === 0 ? firstOf(random, method) : { requestData: random.bytes(5) };
    return anyPack(schema, create(schema, init as MessageInitShape<typeof schema>));
  });
}

function firstOf(random: Random, method: MethodName): object {
  const header = (name: string, ...value: string[]) => create(HeaderSchema, { name, value });
  const metadata = {
    responseHeaders: random.pick([
      [],
      [header('x-test-head', 'one', 'two')],
      [header('x-test-head-bin', random.bytes(5).toString('base64').replace(/=+$/, ''))],
    ]),
    responseTrailers: random.pick([
      [],
      [header('x-test-tail', 'end'), header('x-test-more', 'a', 'b')],
    ]),
  };
  const data = () => random.bytes(random.pick([0, 1, 20, 3_000]));
  const details = Array.from({ length: random.below(3) }, (_, at) =>
    anyPack(HeaderSchema, header(`detail-${at}`, 'value')),
  );
  const error = { code: 1 + random.below(16), message: random.pick(MESSAGES), details };
  const fails = random.below(3) === 0;
  if (method === 'ServerStream' || method === 'BidiStream') {
    const responseData = Array.from({ length: random.below(4) }, data);
    return {
      responseDefinition: { ...metadata, responseData, ...(fails && { error }) },
      ...(method === 'BidiStream' && { fullDuplex: random.below(2) === 0 }),
    };
  }
  const response = fails
    ? { case: 'error', value: error }
    : { case: 'responseData', value: data() };
  return { responseDefinition: { ...metadata, response }, requestData: random.bytes(3) };
}
