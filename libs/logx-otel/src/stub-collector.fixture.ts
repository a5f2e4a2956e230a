import { createServer, type IncomingHttpHeaders, type Server as HttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { CERTIFICATE, KEY } from './certificate.fixture.js';
import { decodeRequest, encodeResponse, type ReceivedRecord } from './otlp-protos.fixture.js';

/** What the collector does with a request. */
export type Answer =
  | { readonly kind: 'take'; readonly afterMs?: number; readonly rejected?: number }
  | {
      readonly kind: 'refuse';
      readonly http: number;
      readonly grpc: number;
      readonly retryAfterS?: number;
    }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'reset' };

const BODY = 'application/x-protobuf';

/** A collector of logs over a real socket, decoding with OpenTelemetry's own protos. */
export abstract class StubCollector {
  /** Of every request that was answered with `take`. */
  readonly records: ReceivedRecord[] = [];
  readonly headers: Readonly<Record<string, unknown>>[] = [];
  /** How many records each request held, whatever became of it. */
  readonly batches: number[] = [];
  answer: (request: number) => Answer = () => ({ kind: 'take' });

  abstract readonly endpoint: string;
  abstract stop(): Promise<void>;

  protected receive(
    bytes: Uint8Array,
    headers: Readonly<Record<string, unknown>>,
  ): { readonly answer: Answer; readonly take: () => Uint8Array } {
    const records = decodeRequest(bytes);
    this.headers.push(headers);
    this.batches.push(records.length);
    const answer = this.answer(this.batches.length);
    const rejected = answer.kind === 'take' ? (answer.rejected ?? 0) : 0;
    const take = (): Uint8Array => {
      this.records.push(...records.slice(rejected));
      return encodeResponse(rejected, 'too old');
    };
    return { answer, take };
  }
}

export class HttpCollector extends StubCollector {
  readonly #sockets = new Set<Socket>();

  private constructor(private readonly server: HttpServer) {
    super();
  }

  static async start({ tls = false } = {}): Promise<HttpCollector> {
    const server = tls ? createTlsServer({ cert: CERTIFICATE, key: KEY }) : createServer();
    const collector = new HttpCollector(server);
    server.on('connection', (socket: Socket) => void collector.#sockets.add(socket));
    server.on('request', (request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const whole = Buffer.concat(parts);
        const bytes = request.headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole;
        const path: IncomingHttpHeaders = { ...request.headers, ':path': request.url };
        const { answer, take } = collector.receive(bytes, path);
        switch (answer.kind) {
          case 'take':
            setTimeout(() => {
              response.writeHead(200, { 'content-type': BODY }).end(take());
            }, answer.afterMs ?? 0);
            return;
          case 'refuse':
            if (answer.retryAfterS !== undefined) {
              response.setHeader('retry-after', answer.retryAfterS);
            }
            response.writeHead(answer.http).end();
            return;
          case 'garbage':
            response.writeHead(200, { 'content-type': BODY }).end('<html>no</html>');
            return;
          case 'reset':
            request.socket.resetAndDestroy();
            return;
          case 'hang':
            return;
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get endpoint(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

export class GrpcCollector extends StubCollector {
  readonly endpoint: string;

  private constructor(
    private readonly server: Server,
    port: number,
  ) {
    super();
    this.endpoint = `127.0.0.1:${port}`;
  }

  static async start({ tls = false } = {}): Promise<GrpcCollector> {
    const server = new Server();
    let collector: GrpcCollector | undefined;
    const asIs = (bytes: Buffer): Buffer => bytes;
    server.addService(
      {
        Export: {
          path: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
          requestStream: false,
          responseStream: false,
          requestDeserialize: asIs,
          requestSerialize: asIs,
          responseDeserialize: asIs,
          responseSerialize: asIs,
        },
      },
      {
        Export(
          call: { readonly request: Buffer; readonly metadata: Metadata },
          done: (error: object | null, bytes?: Uint8Array) => void,
        ) {
          const { answer, take } = collector!.receive(call.request, call.metadata.getMap());
          switch (answer.kind) {
            case 'take':
              setTimeout(() => done(null, Buffer.from(take())), answer.afterMs ?? 0);
              return;
            case 'refuse':
              done({ code: answer.grpc, details: 'refused' });
              return;
            case 'garbage':
              done(null, Buffer.from('<html>no</html>'));
              return;
            case 'reset':
              done({ code: status.INTERNAL, details: 'reset' });
              return;
            case 'hang':
              return;
          }
        },
      },
    );
    const pair = { cert_chain: Buffer.from(CERTIFICATE), private_key: Buffer.from(KEY) };
    const credentials = tls
      ? ServerCredentials.createSsl(null, [pair])
      : ServerCredentials.createInsecure();
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) =>
        error === null ? resolve(bound) : reject(error),
      );
    });
    return (collector = new GrpcCollector(server, port));
  }

  async stop(): Promise<void> {
    this.server.forceShutdown();
  }
}
