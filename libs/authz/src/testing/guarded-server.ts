import { Code, isCode } from '@apix/contracts';
import { type ProtoRegistry, fullMethodName } from '@apix/proto/core';
import {
  create,
  type DescMethod,
  fromBinary,
  type JsonValue,
  type Message,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import type {
  ChannelCredentials,
  ClientOptions,
  UntypedServiceImplementation,
  ServerDuplexStream,
  StatusObject,
  ServerReadableStream,
  ServerWritableStream,
  UntypedHandleCall,
  sendUnaryData,
} from '@grpc/grpc-js';
import type { ListFilter } from '../cel/filter/list-filter.js';
import type { Authorizer } from '../decide/authorizer.js';
import { currentFilter } from '../decide/authz-stage.js';
import { authzInterceptor } from '../grpc/authz-interceptor.js';
import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  credentials,
} from '../npm-install/@grpc/grpc-js.js';

/** The result of a call. */
export interface PolicyAnswer {
  readonly code: Code;
  /** `OK`, `PERMISSION_DENIED`, …: reads well in a table. */
  readonly status: keyof typeof Code;
  readonly message: string;
  /** How many request messages the server decoded. */
  readonly decoded: number;
  /** Of a method that lists records: the names of those of `records` that the caller may see. */
  readonly listed?: readonly string[] | undefined;
  /** The first answer as the caller gets it, in JSON; undefined if there is none. */
  readonly answer?: JsonValue | undefined;
}

/** What handlers answer. */
export interface GuardedAnswers {
  /** The names of the records that pass a filter. Default: none. */
  readonly listedNames?: (filter: ListFilter) => readonly string[];
  /** The answer of a method. Default: an empty message, and none in a stream. */
  readonly answerOf?: (method: DescMethod) => Message | undefined;
}

const LISTED = 'x-test-listed-bin';

const NOTHING = Buffer.alloc(0);

/** A real gRPC server behind the interceptor that accepts every call which is let in. */
interface GuardedServer {
  /** `host:port`. */
  readonly address: string;
  /** Calls a method of any kind, over its own connection. */
  call(
    fullMethodName: string,
    metadata: Readonly<Record<string, string>>,
    request?: Uint8Array,
    channel?: ChannelCredentials,
    options?: ClientOptions,
  ): Promise<PolicyAnswer>;
  close(): void;
}

/** Serves every method of the descriptors on a free port of the loopback interface. */
export async function startGuardedServer(
  registry: ProtoRegistry,
  authorizer: Authorizer,
  serverCredentials = ServerCredentials.createInsecure(),
  { listedNames = () => [], answerOf = () => undefined }: GuardedAnswers = {},
): Promise<GuardedServer> {
  let decoded = 0;
  const decodeBy =
    ({ input }: DescMethod) =>
    (bytes: Buffer): Message => {
      decoded++;
      return fromBinary(input, bytes);
    };
  const server = new Server({ interceptors: [authzInterceptor(authorizer)] });
  for (const { methods } of registry.services) {
    const definitions = methods.map((method) => [
      method.name,
      definitionOf(method, decodeBy(method)),
    ]);
    const handlers: UntypedServiceImplementation = {};
    for (const method of methods) {
      const isList = authorizer.methods.listsOf(fullMethodName(method)) !== undefined;
      const trailersOf = (call: Metadata): Metadata | undefined =>
        isList ? trailersWith(listedNames(currentFilter(call))) : undefined;
      handlers[method.name] = acceptEverything(method, trailersOf, answerOf(method));
    }
    server.addService(Object.fromEntries(definitions), handlers);
  }
  const address = await listen(server, serverCredentials);
  return {
    address,
    async call(
      fullName,
      headers,
      request = NOTHING,
      channel = credentials.createInsecure(),
      options = {},
    ) {
      const metadata = new Metadata();
      for (const [key, value] of Object.entries(headers)) metadata.set(key, value);
      const before = decoded;
      const client = new Client(address, channel, options);
      const { bytes, ...answer } = await callOnce(client, fullName, metadata, Buffer.from(request));
      client.close();
      const status = Code[answer.code] as keyof typeof Code;
      const output = registry.method(fullName)?.output;
      return {
        ...answer,
        status,
        decoded: decoded - before,
        ...(bytes !== undefined &&
          output !== undefined && {
            answer: toJson(output, fromBinary(output, bytes), { registry: registry.registry }),
          }),
      };
    },
    close: () => server.forceShutdown(),
  };
}

const same = (bytes: Buffer): Buffer => bytes;

/** The result of a call, with the bytes of its first answer. */
interface AnsweredBytes extends Omit<PolicyAnswer, 'status' | 'decoded' | 'answer'> {
  readonly bytes: Buffer | undefined;
}

function definitionOf(method: DescMethod, requestDeserialize: (bytes: Buffer) => Message) {
  const { methodKind } = method;
  return {
    path: fullMethodName(method),
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    requestSerialize: same,
    requestDeserialize,
    responseSerialize: (answer: Message) => Buffer.from(toBinary(method.output, answer)),
    responseDeserialize: same,
  };
}

async function listen(server: Server, serverCredentials: ServerCredentials): Promise<string> {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', serverCredentials, (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return `127.0.0.1:${port}`;
}

/** Every kind of call can be made as a bidirectional one that sends one message. */
function callOnce(
  client: Client,
  path: string,
  metadata: Metadata,
  request: Buffer,
): Promise<AnsweredBytes> {
  let bytes: Buffer | undefined;
  return new Promise((resolve) => {
    const stream = client.makeBidiStreamRequest(path, same, same, metadata);
    stream.on('error', () => {});
    stream.on('status', ({ code, details, metadata: trailers }: StatusObject) => {
      const [listed] = trailers.get(LISTED);
      resolve({
        code: isCode(code) ? code : Code.UNKNOWN,
        message: details,
        bytes,
        ...(listed !== undefined && { listed: JSON.parse(listed.toString()) as string[] }),
      });
    });
    stream.on('data', (answer: Buffer) => (bytes ??= answer));
    stream.end(request);
  });
}

function trailersWith(listed: readonly string[]): Metadata {
  const trailers = new Metadata();
  trailers.set(LISTED, Buffer.from(JSON.stringify(listed)));
  return trailers;
}

/** A handler that accepts everything and answers with the given message: else with an empty one, or an empty stream. */
function acceptEverything(
  { methodKind, output }: DescMethod,
  trailersOf: (call: Metadata) => Metadata | undefined,
  given: Message | undefined,
): UntypedHandleCall {
  const one = given ?? create(output);
  switch (methodKind) {
    case 'unary':
      return ({ metadata }: { metadata: Metadata }, done: sendUnaryData<Message>) =>
        done(null, one, trailersOf(metadata));
    case 'server_streaming':
      return (call: ServerWritableStream<Message, Message>) => {
        if (given !== undefined) call.write(given);
        call.end(trailersOf(call.metadata));
      };
    case 'client_streaming':
      return (call: ServerReadableStream<Message, Message>, done: sendUnaryData<Message>) => {
        call.on('end', () => done(null, one, trailersOf(call.metadata)));
        call.resume();
      };
    case 'bidi_streaming':
      return (call: ServerDuplexStream<Message, Message>) => {
        call.on('end', () => {
          if (given !== undefined) call.write(given);
          call.end(trailersOf(call.metadata));
        });
        call.resume();
      };
  }
}
