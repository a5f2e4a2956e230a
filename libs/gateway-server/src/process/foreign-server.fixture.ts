import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type ServerWritableStream,
  type ServiceDefinition,
  type sendUnaryData,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

/** The .proto file of a server that knows nothing of apix. */
export const WEATHER = `
syntax = "proto3";
package weather.v1;
message Request { string town = 1; int64 days = 2; }
message Answer { string town = 1; int64 days = 2; }
service Forecast {
  rpc GetDay(Request) returns (Answer);
  rpc SetDay(Request) returns (Answer);
  rpc Fail(Request) returns (Answer);
  rpc Slow(Request) returns (Answer);
  rpc Watch(Request) returns (stream Answer);
  rpc Upload(stream Request) returns (Answer);
}
`;

interface Weather {
  readonly town: string;
  readonly days: string;
}

type Unary = (call: ServerUnaryCall<Weather, Weather>, respond: sendUnaryData<Weather>) => void;

/** A call that has reached the server. */
export interface ForeignCall {
  readonly path: string;
  readonly request: Weather;
  readonly metadata: Metadata;
}

/** A server of grpc-js as anybody writes it, described by `@grpc/reflection`. */
export class ForeignServer {
  readonly calls: ForeignCall[] = [];
  /** Lets the calls of Slow go on that have come. */
  release: () => void = () => {};
  /** Resolves when a call of Slow has come. */
  slowHasBegun: Promise<void> = Promise.resolve();
  readonly #server = new Server();

  private constructor(readonly address: string) {}

  /** @param services the names of those that are served, in the package of the .proto file. */
  static async start(
    proto = WEATHER,
    services: readonly string[] = ['weather.v1.Forecast'],
    port = 0,
  ): Promise<ForeignServer> {
    const folder = mkdtempSync(join(tmpdir(), 'apix-foreign-'));
    writeFileSync(join(folder, 'weather.proto'), proto);
    const definition = loadSync('weather.proto', {
      includeDirs: [folder],
      keepCase: true,
      longs: String,
    });
    rmSync(folder, { recursive: true });
    const draft = new ForeignServer('');
    const server = draft.#server;
    new ReflectionService(definition).addToServer(server);
    for (const name of services) draft.#serve(definition[name] as ServiceDefinition);
    const bound = await new Promise<number>((resolve, reject) => {
      const credentials = ServerCredentials.createInsecure();
      server.bindAsync(`127.0.0.1:${port}`, credentials, (error, at) =>
        error === null ? resolve(at) : reject(error),
      );
    });
    return Object.assign(draft, { address: `127.0.0.1:${bound}` });
  }

  get port(): number {
    return Number(this.address.split(':')[1]);
  }

  stop(): void {
    this.#server.forceShutdown();
  }

  #serve(service: ServiceDefinition): void {
    let begun = (): void => {};
    this.slowHasBegun = new Promise((resolve) => (begun = resolve));
    const note = ({ request, metadata }: { request: Weather; metadata: Metadata }, path: string) =>
      this.calls.push({ path, request, metadata });
    const echo =
      (path: string): Unary =>
      (call, respond) => {
        note(call, path);
        respond(null, call.request);
      };
    const special: Readonly<Record<string, (path: string) => unknown>> = {
      Fail:
        (path): Unary =>
        (call, respond) => {
          note(call, path);
          respond({ code: 9, details: `no weather in ${call.request.town}` }, null);
        },
      Slow:
        (path): Unary =>
        (call, respond) => {
          note(call, path);
          this.release = () => respond(null, call.request);
          begun();
        },
      Watch: (path) => (call: ServerWritableStream<Weather, Weather>) => {
        note(call, path);
        for (let day = 1; day <= Number(call.request.days); day += 1) {
          call.write({ ...call.request, days: String(day) });
        }
        call.end();
      },
    };
    const handlers = Object.entries(service).map(([name, { path }]) => [
      name,
      (special[name] ?? echo)(path),
    ]);
    this.#server.addService(service, Object.fromEntries(handlers));
  }
}
