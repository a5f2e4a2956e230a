import { CompressionError } from '../hpack/compression-error.js';
import { HeaderDecoder } from '../hpack/header-decoder.js';
import { ConnectionError, HTTP2_ERROR, FLAG, FRAME, MAX_WINDOW_BYTES } from './frames.js';
import { assertLength, assertOfSession, broken } from './frame-checks.js';
import { type Http2Frame, FrameSplitter } from './frame-splitter.js';
import { HeaderBlocks, withoutPadding } from './header-block.js';

/** What the other end sends, once its form is right; what is wrong all the same is thrown as ConnectionError. */
export interface FrameHandler<H> {
  /** Whether nothing more is to be received. */
  readonly isDestroyed: boolean;
  onHeaders(stream: number, received: H, endsStream: boolean): void;
  /** @param frameBytes with padding: what windows count. */
  onData(stream: number, data: Buffer, frameBytes: number, endsStream: boolean): void;
  onReset(stream: number, code: number): void;
  /** @param payload as SETTINGS has it. */
  onSettings(payload: Buffer): void;
  onPing(payload: Buffer): void;
  onPong(payload: Buffer): void;
  onGoaway(lastStream: number, code: number, data: Buffer): void;
  /** @param stream 0 for the connection. */
  onWindow(stream: number, bytes: number): void;
  /** Answers to settings, priorities, and what later versions have (RFC 9113, 5.5). */
  onIgnored(type: number, stream: number, payload: Buffer): void;
}

/** Reads the frames of one connection. */
export class FrameReceiver<H> {
  readonly #handler: FrameHandler<H>;
  readonly #read: (decoder: HeaderDecoder, block: Buffer) => H;
  readonly #splitter = new FrameSplitter();
  readonly #blocks = new HeaderBlocks();
  readonly #decoder = new HeaderDecoder();
  #hasSettings = false;

  /** @param read decodes a block completely, even if its headers are invalid: later blocks depend on it. */
  constructor(handler: FrameHandler<H>, read: (decoder: HeaderDecoder, block: Buffer) => H) {
    this.#handler = handler;
    this.#read = read;
  }

  /** Whether the settings of the other end have come. */
  get hasSettings(): boolean {
    return this.#hasSettings;
  }

  /** 0 while the settings are to come, the number of a header block while the rest of it is. */
  get awaits(): number | undefined {
    return this.#hasSettings ? this.#blocks.awaits : 0;
  }

  /**
   * Takes the data that the socket received.
   *
   * @throws ConnectionError
   */
  receive(data: Buffer): void {
    try {
      this.#splitter.split(data, (frame) => {
        this.#take(frame);
        return !this.#handler.isDestroyed;
      });
    } catch (error) {
      if (!(error instanceof CompressionError)) throw error;
      throw new ConnectionError(HTTP2_ERROR.compression, error.message);
    }
  }

  #take(frame: Http2Frame): void {
    if (!this.#hasSettings) {
      if (frame.type !== FRAME.settings || (frame.flags & FLAG.ack) !== 0)
        throw broken('no settings at first');
      this.#hasSettings = true;
    }
    const block = this.#blocks.take(frame);
    if (block === 'incomplete') return;
    if (block === 'none') this.#takeOther(frame);
    else {
      const received = this.#read(this.#decoder, block.bytes);
      this.#handler.onHeaders(block.stream, received, block.endsStream);
    }
  }

  #takeOther({ type, flags, stream, payload }: Http2Frame): void {
    switch (type) {
      case FRAME.data: {
        const data = withoutPadding(flags, payload, 0);
        const endsStream = (flags & FLAG.endStream) !== 0;
        this.#handler.onData(stream, data, payload.length, endsStream);
        break;
      }
      case FRAME.reset:
        assertLength(payload, 4);
        this.#handler.onReset(stream, payload.readUInt32BE(0));
        break;
      case FRAME.settings:
        assertOfSession(stream);
        if ((flags & FLAG.ack) === 0) this.#handler.onSettings(payload);
        else {
          assertLength(payload, 0);
          this.#handler.onIgnored(type, stream, payload);
        }
        break;
      case FRAME.ping:
        assertOfSession(stream);
        assertLength(payload, 8);
        if ((flags & FLAG.ack) === 0) this.#handler.onPing(payload);
        else this.#handler.onPong(payload);
        break;
      case FRAME.goaway:
        assertOfSession(stream);
        this.#takeGoaway(payload);
        break;
      case FRAME.windowUpdate:
        assertLength(payload, 4);
        this.#handler.onWindow(stream, payload.readUInt32BE(0) & MAX_WINDOW_BYTES);
        break;
      case FRAME.pushPromise:
        throw broken('a promise to push');
      default:
        this.#handler.onIgnored(type, stream, payload);
    }
  }

  #takeGoaway(payload: Buffer): void {
    if (payload.length < 8)
      throw new ConnectionError(HTTP2_ERROR.frameSize, 'a GOAWAY that is cut off');
    const last = payload.readUInt32BE(0) & MAX_WINDOW_BYTES;
    this.#handler.onGoaway(last, payload.readUInt32BE(4), payload.subarray(8));
  }
}
