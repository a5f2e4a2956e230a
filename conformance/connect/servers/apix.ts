import 'reflect-metadata';
import { StatusError } from '@apix/contracts';
import { GatewayModule } from '@apix/gateway';
import { GatewayServer } from '../../../libs/gateway/src/nest/gateway-server.js';
import { GrpcModule, GrpcServer, GrpcService, trailersOf } from '@apix/grpc';
import { HostxModule } from '@apix/hostx';
import { type StartedHost, startHost } from '@apix/hostx/testing';
import { ProtoModule } from '@apix/proto';
import { create } from '@bufbuild/protobuf';
import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import { Module } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { CERTIFICATE, KEY } from '../../../tools/testing/certificate.js';
import { Codec, Compression } from '../suite/axes.js';
import {
  type BidiStreamRequest,
  type ClientStreamRequest,
  HeaderSchema,
  type IdempotentUnaryRequest,
  type Payload,
  type ServerStreamRequest,
  type UnaryRequest,
  descriptorFile,
  service,
} from '../suite/schema.js';
import { hasZstd } from '../wire/compression.js';
import {
  type ServedCall,
  answerBidiStream,
  answerClientStream,
  answerServerStream,
  answerUnary,
} from './answers.js';
import type { Server } from './server.js';

/** The gateway's own, for callers that give no timeout: far above those of the cases, so that it is known for what it is. */
const OWN_TIMEOUT_MS = 3_600_000;

type Call = Pick<
  ServerDuplexStream<unknown, unknown>,
  'getDeadline' | 'sendMetadata' | 'once' | 'cancelled'
>;

@GrpcService(service)
export class ConformanceController {
  async unary(request: UnaryRequest | IdempotentUnaryRequest, metadata: Metadata, call: Call) {
    return { payload: await answerUnary(served(metadata, call), request) };
  }

  idempotentUnary(request: IdempotentUnaryRequest, metadata: Metadata, call: Call) {
    return this.unary(request, metadata, call);
  }

  async clientStream(requests: Observable<ClientStreamRequest>, metadata: Metadata, call: Call) {
    return { payload: await answerClientStream(served(metadata, call), iterated(requests)) };
  }

  serverStream(request: ServerStreamRequest, metadata: Metadata, call: Call) {
    return answers(answerServerStream(served(metadata, call), request));
  }

  bidiStream(requests: Observable<BidiStreamRequest>, metadata: Metadata, call: Call) {
    return answers(answerBidiStream(served(metadata, call), iterated(requests)));
  }
}

async function* answers(payloads: AsyncIterable<Payload>) {
  for await (const payload of payloads) yield { payload };
}

/** Where the gateway makes its calls: the gRPC server of its own process, or of another app over a network. */
export type Place = 'in-process' | 'network';

/**
 * The gateway of a Nest app that speaks every protocol, on one port for all versions of HTTP.
 *
 * @param limit the largest message, in bytes.
 */
export async function startApix(limit: number, place: Place = 'in-process'): Promise<Server> {
  const tls = { cert: CERTIFICATE, key: KEY };
  const far = place === 'network' ? await startFarServer(limit) : undefined;
  const start = (http: object): Promise<StartedHost> => startApp(limit, http, far?.app);
  const plain = await start({});
  const secure = await start({ tls });
  const mutual = await start({
    tls: { ...tls, requestCert: true, rejectUnauthorized: true, ca: CERTIFICATE },
  });
  const port = portOf(plain);
  return {
    name: place === 'network' ? 'apix over the network' : 'apix',
    features: {
      codecs: Object.values(Codec),
      compressions: [
        Compression.identity,
        Compression.gzip,
        Compression.br,
        Compression.deflate,
        ...(hasZstd ? [Compression.zstd] : []),
      ],
      clientCertificates: true,
    },
    ports: { http1: port, h2c: port, tls: portOf(secure), mutual: portOf(mutual) },
    async close() {
      for (const started of [plain, secure, mutual, far]) await started?.stop();
    },
  };
}

const SHARED = [
  HostxModule.forRoot({ logger: null }),
  ProtoModule.forRoot({ descriptors: descriptorFile }),
];

function grpcModule(limit: number) {
  return GrpcModule.forRoot({ port: 0, host: '127.0.0.1', maxReceiveBytes: limit });
}

/** @param far has the gRPC server. Default: the app itself. */
function startApp(
  limit: number,
  http: object,
  far: StartedHost['app'] | undefined,
): Promise<StartedHost> {
  const gateway = GatewayModule.forRoot({
    protocols: ['rest', 'connect', 'grpc-web', 'grpc'],
    port: 0,
    host: 'localhost',
    http: { http2: true, maxConcurrentStreams: 1_000, ...http },
    maxBodyBytes: limit,
    timeout: OWN_TIMEOUT_MS,
    compress: true,
    exposeServerErrors: true,
    ...(far !== undefined && { endpoint: `127.0.0.1:${far!.get(GrpcServer).port}` }),
  });
  @Module({
    imports: [...SHARED, ...(far === undefined ? [grpcModule(limit)] : []), gateway],
    controllers: far === undefined ? [ConformanceController] : [],
  })
  class App {}
  return startHost(App, { http: false });
}

/** A gRPC server for gateways in front of it. */
function startFarServer(limit: number): Promise<StartedHost> {
  @Module({ imports: [...SHARED, grpcModule(limit)], controllers: [ConformanceController] })
  class Server {}
  return startHost(Server, { http: false });
}

function portOf({ app }: StartedHost): number {
  return Number(app!.get(GatewayServer, { strict: false }).addr.split(':').at(-1));
}

function served(metadata: Metadata, call: Call): ServedCall {
  const ending = new AbortController();
  call.once('cancelled', () => ending.abort(new Error('the call has ended')));
  const headers = new Metadata();
  const deadline = Number(call.getDeadline());
  return {
    requestHeaders: Object.keys(metadata.getMap()).map((name) =>
      create(HeaderSchema, { name, value: metadata.get(name).map(shown) }),
    ),
    signal: ending.signal,
    timeoutMs() {
      const left = deadline - Date.now();
      return left < OWN_TIMEOUT_MS / 2 ? left : undefined;
    },
    addHeader: (name, value) => headers.add(name, valueFor(name, value)),
    addTrailer: (name, value) => trailersOf(metadata).add(name, valueFor(name, value)),
    sendHeaders: () => call.sendMetadata(headers),
    toThrow: ({ code, message = '', details }) => new StatusError(code, message, { details }),
  };
}

/** Binary values are bytes here, and base64 in the cases. */
function shown(value: string | Buffer): string {
  return typeof value === 'string' ? value : value.toString('base64').replace(/=+$/, '');
}

function valueFor(name: string, value: string): string | Buffer {
  return name.endsWith('-bin') ? Buffer.from(value, 'base64') : value;
}

/** The values of an Observable, in their order. */
async function* iterated<T>(values: Observable<T>): AsyncGenerator<T> {
  const waiting: T[] = [];
  let wake = (): void => {};
  let end: { readonly error?: unknown } | undefined;
  const finish = (how: { readonly error?: unknown }): void => {
    end = how;
    wake();
  };
  const subscription = values.subscribe({
    next: (value) => {
      waiting.push(value);
      wake();
    },
    error: (error: unknown) => finish({ error }),
    complete: () => finish({}),
  });
  try {
    for (;;) {
      if (waiting.length > 0) yield waiting.shift()!;
      else if (end !== undefined) break;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if ('error' in end) throw end.error;
  } finally {
    subscription.unsubscribe();
  }
}
