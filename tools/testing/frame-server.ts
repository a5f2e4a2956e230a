import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';

/** Types of frames (RFC 9113, 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

export const END_STREAM = 1;
export const END_HEADERS = 4;
const ACK = 1;
const PREFACE_BYTES = 24;
const HEAD_BYTES = 9;

/** A frame as the wire has it. */
export function rawFrame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** Numbers of 32 bits, such as the payload of RST_STREAM and GOAWAY. */
export function words(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

/** A block of headers without compression (RFC 7541, 6.2.2). */
export function headerBlock(headers: Headers): Buffer {
  return Buffer.concat(
    headers.flatMap(([name, value]) => [Buffer.of(0), ...text(name), ...text(value)]),
  );
}

function text(value: string): readonly Buffer[] {
  const bytes = Buffer.from(value, 'latin1');
  if (bytes.length < 127) return [Buffer.of(bytes.length), bytes];
  const length = [127];
  let left = bytes.length - 127;
  for (; left >= 128; left >>= 7) length.push((left & 127) | 128);
  return [Buffer.from([...length, left]), bytes];
}

/** A connection whose server end writes frames by hand. */
export class FrameConnection {
  readonly socket: Socket;
  /** Streams that were begun. */
  readonly streams: number[] = [];
  /** Frames that came, by their type. */
  readonly had = new Map<number, number>();
  #input = Buffer.alloc(0);
  #hasPreface = false;

  constructor(socket: Socket, settings: Buffer | undefined, onStream: (stream: number) => void) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      this.#input = Buffer.concat([this.#input, data]);
      if (!this.#hasPreface) {
        if (this.#input.length < PREFACE_BYTES) return;
        this.#hasPreface = true;
        this.#input = this.#input.subarray(PREFACE_BYTES);
        if (settings !== undefined) this.send(FRAME.settings, 0, 0, settings);
      }
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        const { type, flags, stream, payload } = next;
        this.had.set(type, (this.had.get(type) ?? 0) + 1);
        if (type === FRAME.settings && flags === 0 && settings !== undefined)
          this.send(FRAME.settings, ACK, 0);
        if (type === FRAME.ping && flags === 0) this.send(FRAME.ping, ACK, 0, payload);
        if (type !== FRAME.headers) continue;
        this.streams.push(stream);
        onStream(stream);
      }
    });
  }

  send(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): void {
    this.raw(rawFrame(type, flags, stream, payload));
  }

  /** @param flags in addition to END_HEADERS. */
  headers(stream: number, headers: Headers, flags = 0): void {
    this.send(FRAME.headers, flags | END_HEADERS, stream, headerBlock(headers));
  }

  raw(bytes: Buffer): void {
    if (this.socket.writable) this.socket.write(bytes);
  }

  #next() {
    if (this.#input.length < HEAD_BYTES) return undefined;
    const end = HEAD_BYTES + this.#input.readUIntBE(0, 3);
    if (this.#input.length < end) return undefined;
    const [type, flags] = [this.#input[3]!, this.#input[4]!];
    const stream = this.#input.readUInt32BE(5);
    const payload = this.#input.subarray(HEAD_BYTES, end);
    this.#input = this.#input.subarray(end);
    return { type, flags, stream, payload };
  }
}

/** Names and values, in order. */
export type Headers = readonly (readonly [string, string])[];

/** Those of an answer. */
export const HEADERS: Headers = [
  [':status', '200'],
  ['content-type', 'application/grpc'],
  ['x-h', 'h'],
];
/** Those of a call that went well. */
export const TRAILERS: Headers = [
  ['grpc-status', '0'],
  ['x-t', 't'],
];
/** A message of one byte. */
export const MESSAGE = Buffer.of(0, 0, 0, 0, 1, 7);

/** What {@link answerWell} comes to. */
export const GOOD = ['headers h', 'message of 1', '0 by the server:  t'];

/** An answer as it must be. */
export function answerWell(to: FrameConnection, stream: number): void {
  to.headers(stream, HEADERS);
  to.send(FRAME.data, 0, stream, MESSAGE);
  to.headers(stream, TRAILERS, END_STREAM);
}

/** What a server does with a stream; `nth`: of all connections, from 0. */
export type Script = (connection: FrameConnection, stream: number, nth: number) => void;

/** A server that breaks the rules of HTTP/2, where its script does. */
export class FrameServer {
  readonly connections: FrameConnection[] = [];
  /** Whether it answers nothing at all, not even settings. */
  isSilent = false;
  readonly #server: Server;
  #streams = 0;

  constructor(script: Script, settings: Buffer = Buffer.alloc(0)) {
    this.#server = createServer((socket) => {
      if (this.isSilent) {
        this.connections.push(new FrameConnection(socket, undefined, () => {}));
        return;
      }
      const connection: FrameConnection = new FrameConnection(socket, settings, (stream) => {
        this.#streams += 1;
        script(connection, stream, this.#streams - 1);
      });
      this.connections.push(connection);
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get endpoint(): string {
    return `127.0.0.1:${this.port}`;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  close(): void {
    for (const { socket } of this.connections) socket.destroy();
    this.#server.close();
  }
}
