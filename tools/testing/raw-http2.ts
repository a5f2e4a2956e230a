import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import {
  ACK,
  END_HEADERS,
  END_STREAM,
  FRAME,
  type Frame,
  FrameReader,
  PREFACE,
  frame,
  numberFrame,
  settingsFrame,
} from './http2-frames.js';
import { headerBlock, readHeaderBlock } from './http2-header-block.js';

/** How the server ended a stream. */
export interface StreamOutcome {
  /** Of all its header blocks, trailers too. */
  readonly headers: ReadonlyMap<string, string>;
  /** The code of RST_STREAM; undefined where it ended well. */
  readonly reset: number | undefined;
  readonly received: number;
}

export interface RawHttp2Options {
  /** Settings by number, in addition to a header table of 0. Default: none. */
  readonly settings?: Readonly<Record<number, number>>;
  /** Whether what the server sends makes room for more. Default: true. */
  readonly reads?: boolean;
  /** Whether the connection is one of TLS, to a server of any certificate. Default: false. */
  readonly secure?: boolean;
}

const HEADER_TABLE_SIZE = 1;

/** A connection whose frames are written one by one, for what no client would ever send. */
export class RawHttp2 {
  readonly socket: Socket;
  /** What the server's GOAWAY says, if it sent one. */
  goaway: number | undefined;
  readonly closed: Promise<void>;
  readonly #reader = new FrameReader();
  readonly #streams = new Map<number, { headers: Map<string, string>; received: number }>();
  readonly #outcomes = new Map<number, StreamOutcome>();
  /** Codes of RST_STREAM, whether or not the stream had ended before, by stream. */
  readonly resets = new Map<number, number>();
  /** What the server has let be sent beyond the first window, by stream. */
  readonly windows = new Map<number, number>();
  readonly #waiting = new Map<number, (outcome: StreamOutcome) => void>();
  readonly #pings: (() => void)[] = [];
  readonly #reads: boolean;

  private constructor(socket: Socket, { reads = true, settings = {} }: RawHttp2Options) {
    this.socket = socket;
    this.#reads = reads;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    // A server that resets the connection is what some tests ask for.
    socket.on('error', () => {});
    socket.on('data', (bytes) => this.#reader.read(bytes).forEach((each) => this.#take(each)));
    socket.write(Buffer.concat([PREFACE, settingsFrame({ [HEADER_TABLE_SIZE]: 0, ...settings })]));
  }

  static async open(port: number, options: RawHttp2Options = {}): Promise<RawHttp2> {
    const { secure = false } = options;
    const tls = { port, host: '127.0.0.1', ALPNProtocols: ['h2'], rejectUnauthorized: false };
    const socket = secure ? connectTls(tls) : connect(port, '127.0.0.1');
    await once(socket, secure ? 'secureConnect' : 'connect');
    return new RawHttp2(socket, options);
  }

  /** Writes bytes; resolves once the kernel has room again or the connection is gone. */
  async write(...frames: readonly Buffer[]): Promise<void> {
    if (this.socket.destroyed || this.socket.write(Buffer.concat(frames))) return;
    const gone = new AbortController();
    const drained = once(this.socket, 'drain', { signal: gone.signal }).catch(() => {});
    await Promise.race([drained, this.closed]);
    gone.abort();
  }

  /** Resolves once the server has read all that was written, or the connection is gone. */
  async allRead(): Promise<void> {
    const answered = new Promise<void>((resolve) => this.#pings.push(resolve));
    await this.write(frame(FRAME.ping, 0, 0, Buffer.alloc(8)));
    await Promise.race([answered, this.closed]);
  }

  /** How the server ends a stream; `undefined` when the connection ends before. */
  outcome(stream: number): Promise<StreamOutcome | undefined> {
    const known = this.#outcomes.get(stream);
    if (known !== undefined) return Promise.resolve(known);
    const ended = new Promise<StreamOutcome>((resolve) => this.#waiting.set(stream, resolve));
    return Promise.race([ended, this.closed.then(() => undefined)]);
  }

  destroy(): Promise<void> {
    this.socket.destroy();
    return this.closed;
  }

  #take({ type, flags, stream, payload }: Frame): void {
    switch (type) {
      case FRAME.settings:
        if ((flags & ACK) === 0) this.socket.write(frame(FRAME.settings, ACK, 0));
        break;
      case FRAME.ping:
        if ((flags & ACK) !== 0) this.#pings.shift()?.();
        break;
      case FRAME.goaway:
        this.goaway = payload.readUInt32BE(4);
        break;
      case FRAME.headers: {
        const { headers } = this.#stream(stream);
        for (const [name, value] of readHeaderBlock(payload)) headers.set(name, value);
        break;
      }
      case FRAME.data:
        this.#stream(stream).received += payload.length;
        if (this.#reads && payload.length > 0) this.#makeRoom(stream, payload.length);
        break;
      case FRAME.windowUpdate:
        this.windows.set(stream, (this.windows.get(stream) ?? 0) + payload.readUInt32BE(0));
        break;
      case FRAME.rstStream:
        this.resets.set(stream, payload.readUInt32BE(0));
        this.#end(stream, payload.readUInt32BE(0));
        break;
    }
    const mayEnd = type === FRAME.headers || type === FRAME.data;
    if (mayEnd && (flags & END_STREAM) !== 0) this.#end(stream, undefined);
  }

  #makeRoom(stream: number, bytes: number): void {
    this.socket.write(numberFrame(FRAME.windowUpdate, 0, bytes));
    this.socket.write(numberFrame(FRAME.windowUpdate, stream, bytes));
  }

  #stream(id: number): { headers: Map<string, string>; received: number } {
    let found = this.#streams.get(id);
    if (found === undefined) this.#streams.set(id, (found = { headers: new Map(), received: 0 }));
    return found;
  }

  #end(stream: number, reset: number | undefined): void {
    if (this.#outcomes.has(stream)) return;
    const outcome = { ...this.#stream(stream), reset };
    this.#outcomes.set(stream, outcome);
    this.#waiting.get(stream)?.(outcome);
  }
}

/** A gRPC call's HEADERS, with its pseudo-headers as given. */
export function callHeaders(
  stream: number,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Buffer {
  const headers = {
    ':method': 'POST',
    ':scheme': 'http',
    ':path': path,
    ':authority': 'localhost',
    'content-type': 'application/grpc',
    te: 'trailers',
    ...more,
  };
  return frame(FRAME.headers, END_HEADERS, stream, headerBlock(Object.entries(headers)));
}

/** A message as gRPC frames it; `length` and `compressed` may lie. */
export function grpcMessage(
  bytes: Buffer,
  { compressed = false, length = bytes.length } = {},
): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(compressed ? 1 : 0, 0);
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, bytes]);
}

/** DATA frames of one stream, none longer than `each` bytes; the last one may end the stream. */
export function dataFrames(
  stream: number,
  bytes: Buffer,
  { each = 16_384, end = false } = {},
): Buffer[] {
  const count = Math.max(1, Math.ceil(bytes.length / each));
  return Array.from({ length: count }, (_, at) =>
    frame(
      FRAME.data,
      end && at === count - 1 ? END_STREAM : 0,
      stream,
      bytes.subarray(at * each, (at + 1) * each),
    ),
  );
}
