import { Code, isCode } from '@apix/contracts';
import { type ProtoRegistry, fullMethodName } from '@apix/proto/core';
import { type DescMethod, fromBinary, type Message } from '@bufbuild/protobuf';
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
}

/** The names of the records that pass a filter. */
export type ListedNames = (filter: ListFilter) => readonly string[];

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
  listedNames: ListedNames = () => [],
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
      const isList = authorizer.listsOf(fullMethodName(method)) !== undefined;
      const trailersOf = (call: Metadata): Metadata | undefined =>
        isList ? trailersWith(listedNames(currentFilter(call))) : undefined;
      handlers[method.name] = acceptEverything(method, trailersOf);
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
      const answer = await callOnce(client, fullName, metadata, Buffer.from(request));
      client.close();
      const status = Code[answer.code] as keyof typeof Code;
      return { ...answer, status, decoded: decoded - before };
    },
    close: () => server.forceShutdown(),
  };
}

const same = (bytes: Buffer): Buffer => bytes;

function definitionOf(method: DescMethod, requestDeserialize: (bytes: Buffer) => Message) {
  const { methodKind } = method;
  return {
    path: fullMethodName(method),
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    requestSerialize: same,
    requestDeserialize,
    responseSerialize: same,
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
): Promise<Omit<PolicyAnswer, 'status' | 'decoded'>> {
  return new Promise((resolve) => {
    const stream = client.makeBidiStreamRequest(path, same, same, metadata);
    stream.on('error', () => {});
    stream.on('status', ({ code, details, metadata: trailers }: StatusObject) => {
      const [listed] = trailers.get(LISTED);
      resolve({
        code: isCode(code) ? code : Code.UNKNOWN,
        message: details,
        ...(listed !== undefined && { listed: JSON.parse(listed.toString()) as string[] }),
      });
    });
    stream.resume();
    stream.end(request);
  });
}

function trailersWith(listed: readonly string[]): Metadata {
  const trailers = new Metadata();
  trailers.set(LISTED, Buffer.from(JSON.stringify(listed)));
  return trailers;
}

/** A handler that accepts everything and answers with an empty message, or an empty stream. */
function acceptEverything(
  { methodKind }: DescMethod,
  trailersOf: (call: Metadata) => Metadata | undefined,
): UntypedHandleCall {
  switch (methodKind) {
    case 'unary':
      return ({ metadata }: { metadata: Metadata }, done: sendUnaryData<Buffer>) =>
        done(null, NOTHING, trailersOf(metadata));
    case 'server_streaming':
      return (call: ServerWritableStream<Buffer, Buffer>) => call.end(trailersOf(call.metadata));
    case 'client_streaming':
      return (call: ServerReadableStream<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
        call.on('end', () => done(null, NOTHING, trailersOf(call.metadata)));
        call.resume();
      };
    case 'bidi_streaming':
      return (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on('end', () => call.end(trailersOf(call.metadata)));
        call.resume();
      };
  }
}
