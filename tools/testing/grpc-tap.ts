import { type Server, type Socket, connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { FRAME, FrameReader, PREFACE } from './http2-frames.js';

/** A message of a call, as it was on the wire. */
export interface TappedMessage {
  readonly from: 'client' | 'server';
  readonly isCompressed: boolean;
  /** As it was sent. */
  readonly bytes: number;
}

/** Of a DATA frame (RFC 9113 §6.1). */
const PADDED = 0x8;
const MESSAGE_HEAD = 5;

/**
 * Passes connections on to a port of this machine, without TLS, and notes the gRPC messages on them: what
 * neither end tells of is whether a message was compressed.
 */
export class GrpcTap {
  readonly port: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #messages: TappedMessage[] = [];

  private constructor(server: Server, target: number) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near: Socket) => this.#relay(near, connect(target, '127.0.0.1')));
  }

  static async open(target: number): Promise<GrpcTap> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new GrpcTap(server, target);
  }

  /** The messages since the last time it was asked, by their ends. */
  take(): readonly TappedMessage[] {
    return this.#messages.splice(0);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #relay(near: Socket, far: Socket): void {
    const note = (message: TappedMessage): void => void this.#messages.push(message);
    const requests = new Direction('client', PREFACE.length, note);
    const answers = new Direction('server', 0, note);
    near.on('data', (bytes) => requests.read(bytes)).pipe(far);
    far.on('data', (bytes) => answers.read(bytes)).pipe(near);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(socket);
      // An end that goes away takes the other one along.
      socket.on('error', () => {});
      socket.once('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
  }
}

/** What is left of a message whose head has come. */
interface Unread {
  head: Buffer;
  left: number;
}

/** One way of a connection. */
class Direction {
  readonly #from: TappedMessage['from'];
  readonly #note: (message: TappedMessage) => void;
  readonly #frames = new FrameReader();
  readonly #streams = new Map<number, Unread>();
  #toSkip: number;

  constructor(from: TappedMessage['from'], toSkip: number, note: (message: TappedMessage) => void) {
    this.#from = from;
    this.#toSkip = toSkip;
    this.#note = note;
  }

  read(bytes: Buffer): void {
    const skipped = Math.min(this.#toSkip, bytes.length);
    this.#toSkip -= skipped;
    for (const { type, flags, stream, payload } of this.#frames.read(bytes.subarray(skipped))) {
      if (type !== FRAME.data) continue;
      const isPadded = (flags & PADDED) !== 0;
      const end = isPadded ? payload.length - payload.readUInt8(0) : payload.length;
      this.#readData(stream, payload.subarray(isPadded ? 1 : 0, end));
    }
  }

  #readData(stream: number, data: Buffer): void {
    const unread = this.#streams.get(stream) ?? { head: Buffer.alloc(0), left: 0 };
    this.#streams.set(stream, unread);
    for (let rest = data; rest.length > 0;) {
      if (unread.left > 0) {
        const count = Math.min(unread.left, rest.length);
        unread.left -= count;
        rest = rest.subarray(count);
        continue;
      }
      const wanted = MESSAGE_HEAD - unread.head.length;
      unread.head = Buffer.concat([unread.head, rest.subarray(0, wanted)]);
      rest = rest.subarray(wanted);
      if (unread.head.length < MESSAGE_HEAD) continue;
      const bytes = unread.head.readUInt32BE(1);
      this.#note({ from: this.#from, isCompressed: unread.head.readUInt8(0) === 1, bytes });
      unread.left = bytes;
      unread.head = Buffer.alloc(0);
    }
  }
}
