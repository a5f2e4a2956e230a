import { Code, isCode } from '@apix/contracts';
import { connectGrpc, GrpcModule, GrpcServer } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { ProtoModule, ProtoRegistry } from '@apix/proto';
import { create, type DescMethod, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  Client,
  type ClientDuplexStream,
  credentials,
  Metadata,
  type MethodDefinition,
  type StatusObject,
} from '@grpc/grpc-js';
import { type INestApplication, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type GrpcOptions, Transport } from '@nestjs/microservices';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GrpcLogOptions } from '../grpc/grpc-options.js';
import { logInterceptor } from '../grpc/log-interceptor.js';
import type { LevelInput } from '../levels/level.js';
import { loggedUntil } from '../request/logged-until.fixture.js';
import { type CollectingSink, collectingSink } from '../testing/collecting-sink.js';
import type { LoggedEvent } from '../testing/logged-events.js';
import { LogxModule } from './logx.module.js';
import type { Text } from './probe-calls.fixture.js';
import { LOGX_LOGGER } from './tokens.js';

export const CALL = 'gRPC {Method} -> {Code}';
export const SERVICE = '/apix.testdata.Probe/';

/** The service apix.testdata.Probe, with a method of each kind. */
const PROBE = fileURLToPath(new URL('../../../proto/testdata/kinds.binpb', import.meta.url));
const registry = ProtoRegistry.load(PROBE);

/** The kinds of method, by their names. */
export const KINDS = ['Unary', 'ServerStream', 'ClientStream', 'BidiStream'] as const;
export type Kind = (typeof KINDS)[number];

export interface GrpcStartOptions {
  readonly grpc?: GrpcLogOptions;
  readonly level?: LevelInput;
  readonly bufferOnFailure?: boolean;
  readonly prepare?: (app: INestApplication) => void;
}

/** Serves a controller's calls; gives the address and the app. */
export type GrpcHosting = (
  controller: Type,
  logged: CollectingSink,
  options: GrpcStartOptions,
) => Promise<{ readonly address: string; close(): Promise<void> }>;

const QUIET = { logger: false, abortOnError: false } as const;

function hostedBy(stack: 'grpc-js' | 'http2'): GrpcHosting {
  return async (controller, logged, { grpc = {}, prepare = () => {}, ...options }) => {
    @Module({
      imports: [
        LogxModule.forRoot({ sinks: [logged], grpc, ...options }),
        ProtoModule.forRoot({ descriptors: PROBE }),
        HostxModule.forRoot({ logger: null, drain: { delay: 0 } }),
        GrpcModule.forRoot({ port: 0, host: '127.0.0.1', stack }),
      ],
      controllers: [controller],
    })
    class App {}
    const app = await NestFactory.create(App, QUIET);
    prepare(app);
    connectGrpc(app);
    await app.listen(0, '127.0.0.1');
    return { address: app.get(GrpcServer).address, close: () => app.close() };
  };
}

export const HOSTINGS: [string, GrpcHosting][] = [
  ['@apix/grpc', hostedBy('grpc-js')],
  ['@apix/grpc over http2', hostedBy('http2')],
  [
    "Nest's Transport.GRPC",
    async (controller, logged, { grpc = {}, prepare = () => {}, ...options }) => {
      @Module({
        imports: [LogxModule.forRoot({ sinks: [logged], ...options })],
        controllers: [controller],
      })
      class App {}
      const app = await NestFactory.create(App, QUIET);
      prepare(app);
      // Nest hides a port 0: hence the socket.
      const folder = mkdtempSync(join(tmpdir(), 'logx-'));
      const address = `unix:${join(folder, 'grpc')}`;
      const microservice: GrpcOptions = {
        transport: Transport.GRPC,
        options: {
          url: address,
          package: 'apix.testdata',
          packageDefinition: packageDefinition(),
          channelOptions: { interceptors: [logInterceptor(app.get(LOGX_LOGGER), grpc)] },
        },
      };
      app.connectMicroservice(microservice, { inheritAppConfig: true });
      await app.startAllMicroservices();
      const close = async (): Promise<void> => {
        await app.close();
        rmSync(folder, { recursive: true });
      };
      return { address, close };
    },
  ],
];

/** What an app gives Nest, made from the same descriptors. */
function packageDefinition(): NonNullable<GrpcOptions['options']['packageDefinition']> {
  const methods = [...registry.methods.values()].map((method) => {
    const { name, methodKind, input, output } = method;
    const definition: MethodDefinition<object, object> = {
      path: SERVICE + name,
      originalName: name,
      requestStream: methodKind === 'client_streaming' || methodKind === 'bidi_streaming',
      responseStream: methodKind === 'server_streaming' || methodKind === 'bidi_streaming',
      requestSerialize: encode(input),
      requestDeserialize: (bytes) => fromBinary(input, bytes),
      responseSerialize: encode(output),
      responseDeserialize: (bytes) => fromBinary(output, bytes),
    };
    return [name, definition] as const;
  });
  return { 'apix.testdata.Probe': Object.fromEntries(methods) };
}

function encode(desc: DescMethod['input']): (value: object) => Buffer {
  return (value) => Buffer.from(toBinary(desc, create(desc, value as Record<string, unknown>)));
}

/** How a call ended. */
export interface Ended {
  readonly status: keyof typeof Code;
  readonly details: string;
  readonly headers: Metadata;
}

/** A call that the test speaks on. */
export interface OpenCall {
  readonly stream: ClientDuplexStream<object, Text>;
  readonly ended: Promise<Ended>;
}

export interface CallOptions {
  readonly metadata?: Readonly<Record<string, string | string[]>>;
  readonly deadlineMs?: number;
}

/** A gRPC app that runs, a client of it, and what it logged. */
export class GrpcRunning {
  private constructor(
    private readonly client: Client,
    readonly logged: CollectingSink,
    readonly close: () => Promise<void>,
  ) {}

  static async start(
    hosting: GrpcHosting,
    controller: Type,
    options: GrpcStartOptions = {},
  ): Promise<GrpcRunning> {
    const logged = collectingSink();
    const served = await hosting(controller, logged, options);
    const client = new Client(served.address, credentials.createInsecure());
    return new GrpcRunning(client, logged, async () => {
      client.close();
      await served.close();
    });
  }

  /** Begins a call; on the wire all four kinds look like this. */
  open(method: string, { metadata = {}, deadlineMs }: CallOptions = {}): OpenCall {
    const sent = new Metadata();
    for (const [key, values] of Object.entries(metadata)) {
      for (const value of [values].flat()) sent.add(key, value);
    }
    const { input, output } = registry.method(`${SERVICE}Unary`)!;
    const stream = this.client.makeBidiStreamRequest<object, Text>(
      method.startsWith('/') ? method : SERVICE + method,
      encode(input),
      (bytes) => fromBinary(output, bytes) as unknown as Text,
      sent,
      deadlineMs === undefined ? {} : { deadline: Date.now() + deadlineMs },
    );
    let headers = new Metadata();
    stream.on('error', () => {});
    stream.on('metadata', (received: Metadata) => (headers = received));
    const ended = new Promise<Ended>((resolve) => {
      stream.on('status', ({ code, details }: StatusObject) => {
        const status = Code[isCode(code) ? code : Code.UNKNOWN] as keyof typeof Code;
        resolve({ status, details, headers });
      });
    });
    return { stream, ended };
  }

  /** Makes a whole call with one request a text, and waits for its status and its event. */
  async ask(
    method: string,
    texts: readonly string[] = ['hello'],
    options?: CallOptions,
  ): Promise<Ended & { readonly event: LoggedEvent }> {
    this.logged.clear();
    const { stream, ended } = this.open(method, options);
    stream.resume();
    for (const stringValue of texts) stream.write({ stringValue });
    stream.end();
    const event = (await loggedUntil(this.logged, CALL)).only();
    return { ...(await ended), event };
  }
}
