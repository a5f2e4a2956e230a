import { FLAG, FRAME, HEAD_BYTES, MAX_PAYLOAD_BYTES, writeHead } from '../frames/frames.js';
import type { SessionOutput } from '../frames/session-output.js';

interface Pending {
  readonly bytes: Buffer;
  readonly taken: (() => void) | undefined;
}

/** What a stream has to send after its headers: data, and the end of it. */
export class SendQueue {
  /** Of its stream; 0 until that has begun. */
  id = 0;
  /** Bytes that the other end accepts; below 0 if it has reduced its window (RFC 9113, 6.9.2). */
  window = 0;
  readonly #onEndSent: () => void;
  readonly #pending: Pending[] = [];
  /** Of the first that is pending. */
  #sentBytes = 0;
  #unsentBytes = 0;
  #isEnded = false;
  #isEndSent = false;
  #isCleared = false;
  /** The frames of trailers, in place of an empty frame of data. */
  #trailers: (() => Buffer) | undefined;

  /** @param onEndSent called with the turn in which the end is sent. */
  constructor(onEndSent: () => void) {
    this.#onEndSent = onEndSent;
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  get isEndSent(): boolean {
    return this.#isEndSent;
  }

  /** Whether anything but the end is yet to be sent. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** Bytes that wait for room. */
  get unsentBytes(): number {
    return this.#unsentBytes;
  }

  /** Whether there is something to send, as far as its own window allows. */
  get canSend(): boolean {
    if (this.#isCleared || this.#isEndSent || this.id === 0) return false;
    return this.hasPending ? this.window > 0 : this.#isEnded;
  }

  /**
   * @param taken called once the bytes are on their way.
   * @returns false after its end.
   */
  push(bytes: Buffer, taken?: () => void): boolean {
    if (this.#isCleared || this.#isEnded) return false;
    this.#pending.push({ bytes, taken });
    this.#unsentBytes += bytes.length;
    return true;
  }

  /**
   * @param trailers makes their frames, when all data before them is sent. Default: there are none.
   * @returns false after its end.
   */
  end(trailers?: () => Buffer): boolean {
    if (this.#isCleared || this.#isEnded) return false;
    this.#isEnded = true;
    this.#trailers = trailers;
    return true;
  }

  /** Drops what is not sent; nothing follows. */
  clear(): void {
    this.#isCleared = true;
    this.#pending.length = 0;
    this.#unsentBytes = 0;
    this.#trailers = undefined;
  }

  /**
   * Adds one frame of data, and the end if nothing is left before it.
   *
   * @param limit of its bytes, by the window of the connection.
   * @param taken where to note what is to be called once it is on its way.
   * @returns how many bytes there are in it.
   */
  sendFrame(output: SessionOutput, limit: number, taken: (() => void)[]): number {
    const room = Math.max(0, Math.min(limit, this.window, MAX_PAYLOAD_BYTES));
    const parts: Buffer[] = [];
    const length = this.#takeParts(room, parts, taken);
    const isLast = this.#isEnded && this.#pending.length === 0;
    const endsWithData = isLast && this.#trailers === undefined;
    if (length > 0 || endsWithData) {
      const head = Buffer.allocUnsafe(HEAD_BYTES);
      const flags = endsWithData ? FLAG.endStream : 0;
      output.add(writeHead(head, length, FRAME.data, flags, this.id));
      for (const part of parts) output.add(part);
      this.window -= length;
    }
    if (isLast) this.#sendEnd(output);
    return length;
  }

  #sendEnd(output: SessionOutput): void {
    this.#isEndSent = true;
    if (this.#trailers !== undefined) output.add(this.#trailers());
    this.#onEndSent();
  }

  /** Moves as many bytes as there is room for, at most; empty parts too. */
  #takeParts(room: number, parts: Buffer[], taken: (() => void)[]): number {
    let length = 0;
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const left = next.bytes.length - this.#sentBytes;
      if (left > room - length) {
        const part = room - length;
        if (part > 0) parts.push(next.bytes.subarray(this.#sentBytes, this.#sentBytes + part));
        this.#sentBytes += part;
        length += part;
        break;
      }
      if (left > 0) {
        parts.push(this.#sentBytes === 0 ? next.bytes : next.bytes.subarray(this.#sentBytes));
      }
      length += left;
      this.#sentBytes = 0;
      this.#pending.shift();
      if (next.taken !== undefined) taken.push(next.taken);
    }
    this.#unsentBytes -= length;
    return length;
  }
}
