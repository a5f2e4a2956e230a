import { Code, isCode } from '@apix/contracts';
import { type ProtoRegistry, fullMethodName } from '@apix/proto/core';
import { type DescMethod, fromBinary, type Message } from '@bufbuild/protobuf';
import type {
  ChannelCredentials,
  ClientOptions,
  UntypedServiceImplementation,
  ServerDuplexStream,
  ServerReadableStream,
  ServerWritableStream,
  UntypedHandleCall,
  sendUnaryData,
} from '@grpc/grpc-js';
import type { Authorizer } from '../decide/authorizer.js';
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
}

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
    for (const method of methods) handlers[method.name] = acceptEverything(method);
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
      const { code, message } = await callOnce(client, fullName, metadata, Buffer.from(request));
      client.close();
      const status = Code[code] as keyof typeof Code;
      return { code, status, message, decoded: decoded - before };
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
): Promise<{ readonly code: Code; readonly message: string }> {
  return new Promise((resolve) => {
    const stream = client.makeBidiStreamRequest(path, same, same, metadata);
    stream.on('error', () => {});
    stream.on('status', ({ code, details }: { code: number; details: string }) =>
      resolve({ code: isCode(code) ? code : Code.UNKNOWN, message: details }),
    );
    stream.resume();
    stream.end(request);
  });
}

/** A handler that accepts everything and answers with an empty message, or an empty stream. */
function acceptEverything({ methodKind }: DescMethod): UntypedHandleCall {
  switch (methodKind) {
    case 'unary':
      return (_: unknown, done: sendUnaryData<Buffer>) => done(null, NOTHING);
    case 'server_streaming':
      return (call: ServerWritableStream<Buffer, Buffer>) => call.end();
    case 'client_streaming':
      return (call: ServerReadableStream<Buffer, Buffer>, done: sendUnaryData<Buffer>) => {
        call.on('end', () => done(null, NOTHING));
        call.resume();
      };
    case 'bidi_streaming':
      return (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on('end', () => call.end());
        call.resume();
      };
  }
}
