import type { Call } from '@apix/calls';
import { codeName } from '@apix/contracts';
import { GrpcServer } from '@apix/grpc';
import { type Hosted, HostedService } from '@apix/hostx';
import { ProtoRegistry } from '@apix/proto';
import { type JsonValue, type Message, fromJson, toJson } from '@bufbuild/protobuf';
import { Metadata } from '@grpc/grpc-js';
import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';

interface Line {
  readonly method: string;
  readonly request: JsonValue;
  readonly metadata?: Readonly<Record<string, string>>;
}

type Write = (answer: object) => void;

const MAX_LINE = 64 * 1024;

@HostedService({ name: 'lines', tier: 'transport' })
export class LineServer implements Hosted {
  readonly #sockets = new Set<Socket>();

  constructor(
    private readonly server: GrpcServer,
    private readonly protos: ProtoRegistry,
  ) {}

  async start(signal: AbortSignal): Promise<void> {
    const tcp = createServer((socket) => this.#serve(socket)).listen(4000);
    await once(signal, 'abort');
    tcp.close();
    for (const socket of this.#sockets) socket.end();
  }

  #serve(socket: Socket): void {
    const calls = new Set<Call>();
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      for (const call of calls) call.cancel();
    });
    let rest = '';
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) this.#answer(line, socket, calls);
      if (rest.length > MAX_LINE) socket.destroy();
    });
  }

  #answer(line: string, socket: Socket, calls: Set<Call>): void {
    const write: Write = (answer) => void socket.write(`${JSON.stringify(answer)}\n`);
    try {
      const call = this.#open(JSON.parse(line) as Line, write, () => calls.delete(call));
      calls.add(call);
    } catch {
      write({ code: 'INVALID_ARGUMENT' });
    }
  }

  #open({ method: path, request, metadata = {} }: Line, write: Write, ended: () => void): Call {
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
        onEnd: ({ status }) => {
          ended();
          write({ code: codeName(status.code), message: status.details });
        },
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
