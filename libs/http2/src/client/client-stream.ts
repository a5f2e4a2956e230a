import { HTTP2_ERROR } from '../frames/frames.js';
import type { ReceivedHeaders } from '../frames/received-headers.js';
import { ReceiveWindow } from '../streams/receive-window.js';
import { SendQueue } from '../streams/send-queue.js';

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

/** One stream of a client. */
export class ClientStream {
  readonly queue = new SendQueue(() => {
    if (this.#isRemoteEnded) this.#leave();
  });
  readonly #owner: StreamOwner;
  readonly #listener: ClientStreamListener;
  #hasHeaders = false;
  #isRemoteEnded = false;
  #isOver = false;
  readonly #received: ReceiveWindow;

  constructor(owner: StreamOwner, listener: ClientStreamListener) {
    this.#owner = owner;
    this.#listener = listener;
    this.#received = new ReceiveWindow(owner.windowBytes, (bytes) => owner.giveBack(this, bytes));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether anything is yet to be sent. */
  get hasPending(): boolean {
    return this.queue.hasPending;
  }

  /** @param taken called once the bytes are on their way. */
  write(bytes: Buffer, taken?: () => void): void {
    if (this.queue.push(bytes, taken)) this.#owner.wake(this);
  }

  /** Ends what is sent. */
  end(): void {
    if (this.queue.end()) this.#owner.wake(this);
  }

  /** The other end may send no more than its window. */
  pause(): void {
    this.#received.pause();
  }

  resume(): void {
    this.#received.resume();
  }

  /** Resets it; nothing is called any more. */
  close(code: number): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#received.close();
    this.queue.clear();
    this.#owner.leave(this, code);
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
    const isWithin = this.#received.receive(frameBytes);
    if (!this.#hasHeaders) this.fail(HTTP2_ERROR.protocol);
    else if (!isWithin) this.fail(HTTP2_ERROR.flowControl);
    else {
      if (data.length > 0) this.#listener.onData(data);
      if (this.isOver) return;
      if (endsStream) {
        this.#endRemote();
        this.#listener.onClosed(HTTP2_ERROR.none);
      } else this.#received.settle();
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
    this.#received.close();
    if (this.queue.isEndSent) this.#leave();
  }

  #leave(): void {
    this.#isOver = true;
    this.#received.close();
    this.queue.clear();
    this.#owner.leave(this);
  }
}

/** HTTP/2 does not support upgrades (RFC 9113, 8.6). */
const SWITCHING = 101;

function isInformational({ status }: ReceivedHeaders): boolean {
  return status !== undefined && status < 200;
}
