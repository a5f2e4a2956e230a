import {
  Client,
  Metadata,
  Server,
  ServerCredentials,
  type ServerInterceptor,
  type ServiceError,
  type UntypedHandleCall,
  type UntypedServiceImplementation,
  credentials,
} from '@grpc/grpc-js';
import { afterEach } from '@jest/globals';
import { Writable } from 'node:stream';
import {
  type Code,
  type MethodKind,
  type BoundCallStage,
  CALL_STAGE,
  type CallStage,
} from '@apix/contracts';
import { stageInterceptor } from './stage-interceptor.js';

export const KINDS: readonly MethodKind[] = [
  'unary',
  'server_stream',
  'client_stream',
  'bidi_stream',
];
export const PATHS: Record<MethodKind, string> = {
  unary: '/test.Echo/Unary',
  server_stream: '/test.Echo/ServerStream',
  client_stream: '/test.Echo/ClientStream',
  bidi_stream: '/test.Echo/BidiStream',
};

interface Seen {
  /** Messages that were decoded. */
  decoded: number;
  handled: number;
}

export interface Outcome {
  readonly code: Code;
  readonly details: string;
  readonly messages: readonly string[];
  readonly headers: Metadata | undefined;
  readonly trailers: Metadata | undefined;
}

/** A handler of any kind; undefined: the method is served without one. */
type Handler = ((...args: never[]) => void) | undefined;
type Handlers = Partial<Record<MethodKind, Handler>>;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A real server whose four methods echo, and a call that answers with how it went. */
export function echoServer(stages: readonly CallStage[], handlers: Handlers = {}) {
  return interceptedServer([stageInterceptor(stages, () => undefined)], handlers);
}

/** The same with interceptors as they are. */
export async function interceptedServer(
  interceptors: readonly ServerInterceptor[],
  handlers: Handlers = {},
) {
  const seen: Seen = { decoded: 0, handled: 0 };
  const server = new Server({ interceptors: [...interceptors] });
  const counted = (handler: NonNullable<Handler>): UntypedHandleCall =>
    ((...args: never[]): void => {
      seen.handled++;
      handler(...args);
    }) as UntypedHandleCall;
  const defaults: Record<MethodKind, (...args: never[]) => void> = {
    unary: (call: { request: string }, done: (e: null, v: string) => void) =>
      done(null, call.request),
    server_stream: (call: { request: string; write(v: string): void; end(): void }) => {
      call.write(`${call.request}1`);
      call.write(`${call.request}2`);
      call.end();
    },
    client_stream: (call: NodeJS.EventEmitter, done: (e: null, v: string) => void) => {
      const all: string[] = [];
      call.on('data', (text: string) => all.push(text));
      call.on('end', () => done(null, all.join('+')));
    },
    bidi_stream: (call: NodeJS.EventEmitter & { write(v: string): void; end(): void }) => {
      call.on('data', (text: string) => call.write(text.toUpperCase()));
      call.on('end', () => call.end());
    },
  };
  const definition = Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      {
        path: PATHS[kind],
        requestStream: kind === 'client_stream' || kind === 'bidi_stream',
        responseStream: kind === 'server_stream' || kind === 'bidi_stream',
        requestSerialize: (text: string) => Buffer.from(text),
        requestDeserialize: (bytes: Buffer) => {
          seen.decoded++;
          return bytes.toString();
        },
        responseSerialize: (text: string) => Buffer.from(text),
        responseDeserialize: (bytes: Buffer) => bytes.toString(),
      },
    ]),
  );
  const implementation: UntypedServiceImplementation = {};
  for (const [kind, handler] of Object.entries({ ...defaults, ...handlers })) {
    if (handler !== undefined) implementation[kind] = counted(handler);
  }
  server.addService(definition, implementation);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  closers.push(() => {
    client.close();
    server.forceShutdown();
  });
  return {
    seen,
    client,
    call: (kind: MethodKind, options?: CallOptions) => call(client, kind, options),
  };
}

export interface CallOptions {
  readonly messages?: readonly string[];
  readonly metadata?: Metadata;
  readonly deadlineMs?: number;
  readonly cancelOnHeaders?: boolean;
}

function call(client: Client, kind: MethodKind, options: CallOptions = {}): Promise<Outcome> {
  const { messages = ['a', 'b'], metadata = new Metadata(), deadlineMs } = options;
  const encode = (text: string): Buffer => Buffer.from(text);
  const decode = (bytes: Buffer): string => bytes.toString();
  const settings = deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs };
  const got: string[] = [];
  let headers: Metadata | undefined;
  return new Promise((resolve) => {
    const done = (end: { code: number; details: string; metadata?: Metadata }): void =>
      resolve({
        code: end.code,
        details: end.details,
        messages: got,
        headers,
        trailers: end.metadata,
      });
    const onUnary = (error: ServiceError | null, value?: string): void => {
      if (value !== undefined) got.push(value);
      if (error) done(error);
    };
    const path = PATHS[kind];
    const stream =
      kind === 'unary'
        ? client.makeUnaryRequest(path, encode, decode, messages[0]!, metadata, settings, onUnary)
        : kind === 'server_stream'
          ? client.makeServerStreamRequest(path, encode, decode, messages[0]!, metadata, settings)
          : kind === 'client_stream'
            ? client.makeClientStreamRequest(path, encode, decode, metadata, settings, onUnary)
            : client.makeBidiStreamRequest(path, encode, decode, metadata, settings);
    stream.on('metadata', (received: Metadata) => {
      headers = received;
      if (options.cancelOnHeaders === true) stream.cancel();
    });
    if ('read' in stream) {
      stream.on('data', (text: string) => got.push(text));
      stream.on('error', () => {});
    }
    stream.on('status', done);
    if (stream instanceof Writable) {
      for (const message of messages) stream.write(message);
      stream.end();
    }
  });
}

export function stage(name: string, bound: BoundCallStage): CallStage {
  return { [CALL_STAGE]: true, name, bind: () => bound };
}
