import {
  DEFAULT_WINDOW_BYTES,
  HTTP2_ERROR,
  FLAG,
  FRAME,
  HEAD_BYTES,
  MAX_PAYLOAD_BYTES,
  writeHead,
} from '../frames/frames.js';
import type { ReceivedHeaders } from '../frames/received-headers.js';
import type { SessionOutput } from '../frames/session-output.js';

/** The events of a stream. */
export interface ClientStreamListener {
  /** @param endsStream whether nothing follows. */
  onHeaders(received: ReceivedHeaders, endsStream: boolean): void;
  onData(data: Buffer): void;
  /**
   * It has ended otherwise than by {@link ClientStream.close} or by headers that end it: once, and nothing follows.
   *
   * @param code of the reset, or `lost` where the connection is gone; 0 for an end without trailers.
   */
  onClosed(code: number | 'lost'): void;
}

/** What a stream needs of its session. */
export interface StreamOwner {
  /** Its own bytes that the other end may send before they are given back. */
  readonly windowBytes: number;
  /** It has data to send, or has ended it. */
  wake(stream: ClientStream): void;
  giveBack(stream: ClientStream, bytes: number): void;
  /** It is over for both ends, or is to be reset with the code. */
  leave(stream: ClientStream, code?: number): void;
}

interface Pending {
  readonly bytes: Buffer;
  readonly taken: (() => void) | undefined;
}

/** One stream of a client. */
export class ClientStream {
  /** 0 until it has begun. */
  id = 0;
  /** Bytes that the other end accepts; below 0 if it has reduced its window (RFC 9113, 6.9.2). */
  sendWindow = 0;
  readonly #owner: StreamOwner;
  readonly #listener: ClientStreamListener;
  readonly #pending: Pending[] = [];
  /** Of the first that is pending. */
  #sentBytes = 0;
  #isEnded = false;
  #isEndSent = false;
  #hasHeaders = false;
  #isRemoteEnded = false;
  #isOver = false;
  #isPaused = false;
  /** Bytes that came and were not given back. */
  #keptBytes = 0;

  constructor(owner: StreamOwner, listener: ClientStreamListener) {
    this.#owner = owner;
    this.#listener = listener;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether there is something to send, as far as its own window allows. */
  get canSend(): boolean {
    if (this.#isOver || this.#isEndSent) return false;
    return this.#pending.length === 0 ? this.#isEnded : this.sendWindow > 0;
  }

  /** Whether anything is yet to be sent. */
  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  /** @param taken called once the bytes are on their way. */
  write(bytes: Buffer, taken?: () => void): void {
    if (this.#isOver || this.#isEnded) return;
    this.#pending.push({ bytes, taken });
    this.#owner.wake(this);
  }

  /** Ends what is sent. */
  end(): void {
    if (this.#isOver || this.#isEnded) return;
    this.#isEnded = true;
    this.#owner.wake(this);
  }

  /** The other end may send no more than its window. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.#giveBack();
  }

  /** Resets it; nothing is called any more. */
  close(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#pending.length = 0;
    this.#owner.leave(this, code);
  }

  /**
   * Adds one frame of data.
   *
   * @param limit of its bytes, by the window of the connection.
   * @param taken where to note what is to be called once it is on its way.
   * @returns how many bytes there are in it.
   */
  sendData(output: SessionOutput, limit: number, taken: (() => void)[]): number {
    let room = Math.min(limit, this.sendWindow, MAX_PAYLOAD_BYTES);
    const parts: Buffer[] = [];
    let length = 0;
    for (let next = this.#pending[0]; next !== undefined; next = this.#pending[0]) {
      const left = next.bytes.length - this.#sentBytes;
      if (left > room) {
        if (room > 0) parts.push(next.bytes.subarray(this.#sentBytes, this.#sentBytes + room));
        this.#sentBytes += Math.max(room, 0);
        length += Math.max(room, 0);
        break;
      }
      parts.push(this.#sentBytes === 0 ? next.bytes : next.bytes.subarray(this.#sentBytes));
      length += left;
      room -= left;
      this.#sentBytes = 0;
      this.#pending.shift();
      if (next.taken !== undefined) taken.push(next.taken);
    }
    const isLast = this.#isEnded && this.#pending.length === 0;
    if (length === 0 && !isLast) return 0;
    const head = Buffer.allocUnsafe(HEAD_BYTES);
    output.add(writeHead(head, length, FRAME.data, isLast ? FLAG.endStream : 0, this.id));
    for (const part of parts) output.add(part);
    this.sendWindow -= length;
    if (isLast) {
      this.#isEndSent = true;
      if (this.#isRemoteEnded) this.#leave();
    }
    return length;
  }

  receiveHeaders(received: ReceivedHeaders, endsStream: boolean): void {
    if (this.#isOver || this.#isRemoteEnded) return;
    const fault = received.fault ?? this.#faultOf(received, endsStream);
    if (fault !== undefined) this.fail(fault);
    else if (!isInformational(received)) {
      this.#hasHeaders = true;
      if (endsStream) this.#endRemote();
      this.#listener.onHeaders(received, endsStream);
    }
  }

  /** @param frameBytes with padding: what its window counts. */
  receiveData(data: Buffer, frameBytes: number, endsStream: boolean): void {
    if (this.#isOver || this.#isRemoteEnded) return;
    this.#keptBytes += frameBytes;
    if (!this.#hasHeaders) this.fail(HTTP2_ERROR.protocol);
    else if (this.#keptBytes > Math.max(this.#owner.windowBytes, DEFAULT_WINDOW_BYTES)) {
      this.fail(HTTP2_ERROR.flowControl);
    } else {
      if (data.length > 0) this.#listener.onData(data);
      if (this.isOver) return;
      if (endsStream) {
        this.#endRemote();
        this.#listener.onClosed(HTTP2_ERROR.none);
      } else if (!this.#isPaused) this.#giveBack();
    }
  }

  /** Resets it for what the other end did. */
  fail(code: number): void {
    if (this.#isOver) return;
    this.close(code);
    this.#listener.onClosed(code);
  }

  /** The other end has reset it, or the connection is gone. */
  receiveEnd(code: number | 'lost'): void {
    if (this.#isOver) return;
    this.#leave();
    if (!this.#isRemoteEnded) this.#listener.onClosed(code);
  }

  #faultOf({ status }: ReceivedHeaders, endsStream: boolean): number | undefined {
    const isFine = this.#hasHeaders
      ? status === undefined && endsStream
      : status !== undefined && status !== SWITCHING && (status >= 200 || !endsStream);
    return isFine ? undefined : HTTP2_ERROR.protocol;
  }

  #endRemote(): void {
    this.#isRemoteEnded = true;
    if (this.#isEndSent) this.#leave();
  }

  #leave(): void {
    this.#isOver = true;
    this.#pending.length = 0;
    this.#owner.leave(this);
  }

  #giveBack(): void {
    const bytes = this.#keptBytes;
    if (this.#isOver || this.#isRemoteEnded || bytes * 2 < this.#owner.windowBytes) return;
    this.#keptBytes = 0;
    this.#owner.giveBack(this, bytes);
  }
}

/** HTTP/2 does not support upgrades (RFC 9113, 8.6). */
const SWITCHING = 101;

function isInformational({ status }: ReceivedHeaders): boolean {
  return status !== undefined && status < 200;
}
