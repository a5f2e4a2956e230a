import type { CallStage } from '@apix/contracts';
import { stageInterceptor } from '@apix/calls/grpc';
import type { Message } from '@bufbuild/protobuf';
import type { GenMessage, GenService } from '@bufbuild/protobuf/codegenv2';
import type {
  ServerCredentials,
  ServerDuplexStream,
  ServerReadableStream,
  ServerUnaryCall,
  ServerWritableStream,
  ServiceError,
  Metadata,
} from '@grpc/grpc-js';
import { afterEach } from '@jest/globals';
import { boundPort } from '../bound-port.fixture.js';
import { probe } from '../client.fixture.js';
import { serviceDefinition } from '../../../grpc/src/descriptor/service-definition.js';
import { CallableServer } from '../../../grpc/src/in-process/callable-server.js';
import { InProcessEntry } from '../../../grpc/src/in-process/in-process-entry.js';
import { type ClientInit, channelOf, createClient } from './create-client.js';
import type { Client } from './client-types.js';

/** Some fields of apix.testdata.Kinds, as protobuf-es would generate them. */
export type Kinds = Message<'apix.testdata.Kinds'> & {
  int32Value: number;
  int64Value: bigint;
  stringValue: string;
  stringList: string[];
  child?: Kinds;
};

type In = GenMessage<Kinds>;

/** apix.testdata.Probe, as protobuf-es would generate it. */
export type ProbeService = GenService<{
  unary: { methodKind: 'unary'; input: In; output: In };
  serverStream: { methodKind: 'server_streaming'; input: In; output: In };
  clientStream: { methodKind: 'client_streaming'; input: In; output: In };
  bidiStream: { methodKind: 'bidi_streaming'; input: In; output: In };
}>;

export const Probe = probe.services.find(
  ({ typeName }) => typeName === 'apix.testdata.Probe',
) as unknown as ProbeService;

type Answer = Partial<Omit<Kinds, '$typeName' | '$unknown'>>;
type Failure = Partial<Omit<ServiceError, 'code'>> & { readonly code?: number };
type Respond = (error: Failure | null, answer?: Answer, trailers?: Metadata) => void;

/** Handlers of grpc-js. */
export interface ProbeHandlers {
  Unary?(call: ServerUnaryCall<Kinds, Answer>, respond: Respond): void;
  ServerStream?(call: ServerWritableStream<Kinds, Answer>): void;
  ClientStream?(call: ServerReadableStream<Kinds, Answer>, respond: Respond): void;
  BidiStream?(call: ServerDuplexStream<Kinds, Answer>): void;
}

/** `http2`: over the network by `node:http2`. */
export const TRANSPORTS = ['network', 'http2', 'in-process'] as const;

/** A server of Probe on a real port, which can be called in-process too. */
export class ProbeServer {
  readonly entry = new InProcessEntry();
  readonly #server: CallableServer;
  port = 0;

  constructor(handlers: ProbeHandlers, stages: readonly CallStage[] = []) {
    const interceptors = [stageInterceptor(stages, () => undefined)];
    this.#server = new CallableServer({ interceptors }, (path) => probe.method(path));
    this.#server.addService(serviceDefinition(Probe), handlers as never);
  }

  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  async listen(credentials?: ServerCredentials): Promise<void> {
    this.port = await (credentials === undefined
      ? boundPort(this.#server)
      : new Promise<number>((resolve, reject) => {
          this.#server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
            error === null ? resolve(port) : reject(error),
          );
        }));
    this.entry.serve(this.#server);
  }

  close(): void {
    this.#server.forceShutdown();
  }
}

const open: (() => unknown)[] = [];
afterEach(() => {
  for (const close of open.splice(0).toReversed()) close();
});

/** A server that is closed after the test. */
export async function serveProbe(
  handlers: ProbeHandlers,
  stages: readonly CallStage[] = [],
): Promise<ProbeServer> {
  const server = new ProbeServer(handlers, stages);
  await server.listen();
  open.push(() => server.close());
  return server;
}

/** A client of that server that is closed after the test. */
export function probeClient(
  server: Pick<ProbeServer, 'endpoint'> & Partial<Pick<ProbeServer, 'entry'>>,
  transport: (typeof TRANSPORTS)[number] = 'network',
  init: ClientInit<ProbeService> = {},
): Client<ProbeService> {
  const isLocal = transport === 'in-process';
  const client = createClient(Probe, {
    ...(isLocal ? { server: server.entry } : { endpoint: server.endpoint }),
    ...(transport === 'http2' && { stack: 'http2' }),
    ...init,
  });
  open.push(
    () => void channelOf(client).close({ signal: AbortSignal.abort(), remainingMs: () => 0 }),
  );
  return client;
}

/** The error of a promise that must reject. */
export async function failureOfCall(call: PromiseLike<unknown>): Promise<Error> {
  try {
    await call;
  } catch (error) {
    return error as Error;
  }
  throw new Error('the call succeeded');
}
