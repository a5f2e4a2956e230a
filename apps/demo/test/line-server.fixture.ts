import type { Call } from '@apix/calls';
import { codeName } from '@apix/contracts';
import { GrpcServer } from '@apix/grpc';
import { type Hosted, HostedService } from '@apix/hostx';
import { ProtoRegistry } from '@apix/proto';
import { type JsonValue, type Message, fromJson, toJson } from '@bufbuild/protobuf';
import { Metadata } from '@grpc/grpc-js';
import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { createInterface } from 'node:readline';

interface Line {
  readonly method: string;
  readonly request: JsonValue;
  readonly metadata?: Readonly<Record<string, string>>;
}

@HostedService({ name: 'lines', tier: 'transport' })
export class LineServer implements Hosted {
  readonly #tcp = createServer((socket) => this.#serve(socket));

  constructor(
    private readonly server: GrpcServer,
    private readonly protos: ProtoRegistry,
  ) {}

  async start(signal: AbortSignal): Promise<void> {
    this.#tcp.listen(4000);
    await once(signal, 'abort');
    this.#tcp.close();
  }

  #serve(socket: Socket): void {
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).on('line', (text) => {
      const write = (answer: object): void => void socket.write(`${JSON.stringify(answer)}\n`);
      try {
        const call = this.#open(JSON.parse(text) as Line, write);
        socket.once('close', () => call.cancel());
      } catch {
        write({ code: 'INVALID_ARGUMENT' });
      }
    });
  }

  #open({ method: path, request, metadata = {} }: Line, write: (answer: object) => void): Call {
    const method = this.protos.method(path);
    if (method === undefined) throw new Error(`unknown method ${path}`);
    const headers = new Metadata();
    for (const [key, value] of Object.entries(metadata)) headers.set(key, value);
    const call = this.server.open(
      { method, path, metadata: headers, deadline: Date.now() + 10_000 },
      {
        onHeaders: () => {},
        onMessage: (message) => {
          write({ answer: toJson(method.output, message as Message) });
          call.read();
        },
        onEnd: ({ status }) => write({ code: codeName(status.code), message: status.details }),
      },
    );
    call.read();
    // Reads the request only when the caller may call.
    call.whenWanted?.(() => {
      try {
        call.send(fromJson(method.input, request));
        call.halfClose();
      } catch {
        call.cancel();
      }
    });
    return call;
  }
}
