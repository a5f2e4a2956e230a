import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALL_STAGE, type CallStage, Code, StatusError, codeName, isCode } from '@apix/contracts';
import {
  type CompressionAlgorithm,
  GrpcModule,
  GrpcServer,
  GrpcService,
  type ServiceImpl,
  type TlsOptions,
  trailersOf,
  uncompressed,
  wasCompressed,
} from '@apix/grpc';
import { HostxModule, runHost } from '@apix/hostx';
import { ProtoModule } from '@apix/proto';
import { Metadata, type ServerUnaryCall } from '@grpc/grpc-js';
import { type INestApplication, Module } from '@nestjs/common';
import { type Observable, concatMap, from, reduce, toArray } from 'rxjs';
import {
  type EchoStatus,
  INITIAL_KEY,
  type InputRequest,
  type OutputRequest,
  type SimpleRequest,
  TRAILING_KEY,
  type TestService,
  loadServices,
  zeros,
} from './test-service.js';

/**
 * The test server: `app.mjs <descriptor set> <compression> <stack> [<certificate> <key>]`. Says `ready <port>`, and
 * `ended <method> <code>` for each call.
 */
const [descriptors, compression, stack, cert, key] = process.argv.slice(2);
const tls: TlsOptions | undefined =
  cert === undefined || key === undefined ? undefined : { cert, key };

type SendsHeaders = Pick<ServerUnaryCall<unknown, unknown>, 'sendMetadata'>;

function echoMetadata(metadata: Metadata, call: SendsHeaders): void {
  const headers = new Metadata();
  for (const value of metadata.get(INITIAL_KEY)) headers.add(INITIAL_KEY, value);
  for (const value of metadata.get(TRAILING_KEY)) trailersOf(metadata).add(TRAILING_KEY, value);
  call.sendMetadata(headers);
}

function echoStatus(status: EchoStatus | undefined): void {
  if (status === undefined || !isCode(status.code) || status.code === Code.OK) return;
  throw new StatusError(status.code, status.message);
}

function checkCompressed(request: InputRequest | SimpleRequest): void {
  const { expectCompressed } = request;
  if (expectCompressed === undefined || expectCompressed.value === wasCompressed(request)) return;
  const found = expectCompressed.value ? 'not compressed' : 'compressed';
  throw new StatusError(Code.INVALID_ARGUMENT, `the request is ${found}`);
}

async function* outputs({ responseParameters, responseStatus }: OutputRequest) {
  echoStatus(responseStatus);
  for (const { size, intervalUs, compressed } of responseParameters) {
    if (intervalUs > 0) await sleep(intervalUs / 1_000);
    yield answerOf(size, compressed?.value);
  }
}

function answerOf(size: number, isCompressed = false) {
  const answer = { payload: zeros(size) };
  return isCompressed ? answer : uncompressed(answer);
}

@GrpcService(loadServices(descriptors!).TestService)
class TestController implements Omit<ServiceImpl<TestService>, 'unimplementedCall'> {
  emptyCall() {
    return {};
  }

  unaryCall(request: SimpleRequest, metadata: Metadata, call: SendsHeaders) {
    checkCompressed(request);
    echoMetadata(metadata, call);
    echoStatus(request.responseStatus);
    return answerOf(request.responseSize, request.responseCompressed?.value);
  }

  streamingOutputCall(request: OutputRequest) {
    return outputs(request);
  }

  streamingInputCall(requests: Observable<InputRequest>) {
    return requests.pipe(
      reduce(
        ({ aggregatedPayloadSize }, request) => {
          checkCompressed(request);
          const size = request.payload?.body.length ?? 0;
          return { aggregatedPayloadSize: aggregatedPayloadSize + size };
        },
        { aggregatedPayloadSize: 0 },
      ),
    );
  }

  fullDuplexCall(requests: Observable<OutputRequest>, metadata: Metadata, call: SendsHeaders) {
    echoMetadata(metadata, call);
    return requests.pipe(concatMap((request) => from(outputs(request))));
  }

  halfDuplexCall(requests: Observable<OutputRequest>) {
    return requests.pipe(
      toArray(),
      concatMap((all) => from(all).pipe(concatMap((request) => from(outputs(request))))),
    );
  }
}

const stage: CallStage = {
  [CALL_STAGE]: true,
  name: 'log',
  bind: ({ fullName }) => ({
    onEnd: (_, { code }) =>
      void process.stdout.write(`ended ${fullName.split('/').at(-1)} ${codeName(code)}\n`),
  }),
};

@Module({
  imports: [
    HostxModule.forRoot({ logger: null }),
    ProtoModule.forRoot({ descriptors: descriptors! }),
    GrpcModule.forRoot({
      port: 0,
      host: '127.0.0.1',
      stack: stack as 'grpc-js' | 'http2',
      compression: compression as CompressionAlgorithm,
      // The 1,000 large answers of one case at once: a client on a busy machine is slower than 5 s.
      maxUnsentBytesTotal: 2 ** 30,
      ...(tls !== undefined && { tls }),
    }),
  ],
  controllers: [TestController],
  providers: [{ provide: 'stage', useValue: stage }],
})
class App {}

// Ends with who started it, however that ends.
process.stdin.resume().once('end', () => process.exit(1));

let app: INestApplication;
await runHost(App, {
  nest: { logger: false },
  http: false,
  drain: { delay: 0 },
  configure: (created) => {
    app = created;
  },
  extend: (builder) =>
    void builder.onStarted(() => {
      process.stdout.write(`ready ${app.get(GrpcServer).port}\n`);
    }),
});
