import { Code, isCode } from '@apix/contracts';
import { type DescriptorSource, ProtoRegistry, fullMethodName } from '@apix/proto/core';
import type { DescMethod } from '@bufbuild/protobuf';
import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  type UntypedServiceImplementation,
  credentials,
} from '@grpc/grpc-js';
import type { AuthzOptions } from '../decide/authz-options.js';
import { Authorizer } from '../decide/authorizer.js';
import { authzInterceptor } from '../grpc/authz-interceptor.js';
import type { Subject } from '../subject/subject.js';
import { acceptEverything } from './accepting-handler.js';

/** Who calls in a test; its lists may be left out. Null: an anonymous caller. */
export type TestCaller = Partial<Subject> | null;

/** What a call came to. */
export interface PolicyAnswer {
  readonly code: Code;
  /** `OK`, `PERMISSION_DENIED`, …: reads well in a table. */
  readonly status: keyof typeof Code;
  readonly message: string;
  /** How many request messages the server decoded. */
  readonly decoded: number;
}

export interface PolicyServerOptions extends Omit<AuthzOptions, 'subject'> {
  /** The descriptors whose policies are tested. Required. */
  readonly descriptors: DescriptorSource | readonly DescriptorSource[];
}

/** A real gRPC server that accepts every call that the policies let in. */
export interface PolicyServer {
  readonly authorizer: Authorizer;
  /** `host:port`, for clients of your own; who calls is then anonymous. */
  readonly address: string;
  /** Calls a method of any kind, over the network, as somebody. */
  call(fullMethodName: string, as: TestCaller): Promise<PolicyAnswer>;
  close(): void;
}

const CALLER = 'x-test-caller';

/**
 * Starts a gRPC server on a free port of the loopback interface that serves every method of the
 * descriptors, guarded by their policies, so that a table of who may call what is tested
 * through the real door. The callers' identity is taken on trust: never expose it.
 */
export async function startPolicyServer(options: PolicyServerOptions): Promise<PolicyServer> {
  const { descriptors, ...authz } = options;
  const registry = ProtoRegistry.load(descriptors);
  const authorizer = new Authorizer(registry, {
    ...authz,
    subject: ({ metadata }) => callerOf(metadata.get(CALLER)[0]),
  });
  let decoded = 0;
  const decode = (bytes: Buffer): Buffer => {
    decoded++;
    return bytes;
  };
  const server = new Server({ interceptors: [authzInterceptor(authorizer)] });
  for (const service of registry.services) {
    const methods = service.methods.map((method) => [method.name, definitionOf(method)] as const);
    const handlers: UntypedServiceImplementation = {};
    for (const method of service.methods) handlers[method.name] = acceptEverything(method);
    server.addService(
      Object.fromEntries(
        methods.map(([name, definition]) => [name, { ...definition, requestDeserialize: decode }]),
      ),
      handlers,
    );
  }
  const address = await listen(server);
  const client = new Client(address, credentials.createInsecure());
  return {
    authorizer,
    address,
    async call(fullName, as) {
      const metadata = new Metadata();
      if (as !== null) metadata.set(CALLER, JSON.stringify({ roles: [], permissions: [], ...as }));
      const before = decoded;
      const { code, message } = await call(client, registry.method(fullName), fullName, metadata);
      const status = Code[code] as keyof typeof Code;
      return { code, status, message, decoded: decoded - before };
    },
    close() {
      client.close();
      server.forceShutdown();
    },
  };
}

function callerOf(text: string | undefined): Subject | null {
  return text === undefined ? null : (JSON.parse(text) as Subject);
}

const same = (bytes: Buffer): Buffer => bytes;

function definitionOf(method: DescMethod) {
  const { methodKind } = method;
  return {
    path: fullMethodName(method),
    requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
    responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
    requestSerialize: same,
    requestDeserialize: same,
    responseSerialize: same,
    responseDeserialize: same,
  };
}

async function listen(server: Server): Promise<string> {
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return `127.0.0.1:${port}`;
}

/** Every kind of call can be made as a bidirectional one that sends one message. */
function call(
  client: Client,
  method: DescMethod | undefined,
  fullName: string,
  metadata: Metadata,
): Promise<{ readonly code: Code; readonly message: string }> {
  const path = method === undefined ? fullName : fullMethodName(method);
  return new Promise((resolve) => {
    const stream = client.makeBidiStreamRequest(path, same, same, metadata);
    stream.on('error', () => {});
    stream.on('status', ({ code, details }: { code: number; details: string }) =>
      resolve({ code: isCode(code) ? code : Code.UNKNOWN, message: details }),
    );
    stream.resume();
    stream.end(Buffer.alloc(0));
  });
}
