import type { IncomingHttpHeaders } from 'node:http2';
import { HTTP2_ERROR } from '../frames/frames.js';
import type { ReceivedRequest } from '../frames/received-request.js';
import { ReceiveWindow } from '../streams/receive-window.js';
import { SendQueue } from '../streams/send-queue.js';

/** The events of a stream at the server. None of its methods may throw. */
export interface ServerStreamListener {
  /** @param data to be used, or copied, at once. */
  onData(data: Buffer): void;
  /** The request is complete. */
  onEnd(trailers: IncomingHttpHeaders | undefined): void;
  /**
   * It has ended before it was answered in full, otherwise than by {@link Http2ServerStream.close}: once, and nothing follows.
   *
   * @param code of the reset, or `lost` where the connection is gone.
   */
  onClosed(code: number | 'lost'): void;
  /** It was answered in full, and all of that is on its way: nothing follows. Omitted where nobody needs to know. */
  onAnswered?(): void;
}

/** What a stream needs of its session. */
export interface ServerStreamOwner {
  /** Its own bytes that the client may send before they are given back. */
  readonly windowBytes: number;
  /** Sends headers now. */
  sendHeaders(stream: Http2ServerStream, headers: readonly string[], endsStream: boolean): void;
  /** Makes the frames of headers that end it. */
  trailersOf(stream: Http2ServerStream, headers: readonly string[]): Buffer;
  /** It has data to send, or has ended it. */
  wake(stream: Http2ServerStream): void;
  giveBack(stream: Http2ServerStream, bytes: number): void;
  /** It is answered in full. */
  answered(stream: Http2ServerStream): void;
  /** It was reset for what the client did; throws ConnectionError where that is too often. */
  failed(): void;
  /** It is over for both ends, or is to be reset with the code. */
  leave(stream: Http2ServerStream, code?: number): void;
}

/** One request and its answer. What is done after its end is ignored. */
export class Http2ServerStream {
  readonly queue = new SendQueue(() => this.#onAnswered());
  readonly #owner: ServerStreamOwner;
  readonly #received: ReceiveWindow;
  #listener: ServerStreamListener | undefined;
  /** Bytes of the body that are yet to come, where they are announced. */
  #lengthLeft: number | undefined;
  #hasHeaders = false;
  #isRemoteEnded = false;
  #isOver = false;
  #isAnswered = false;

  constructor(owner: ServerStreamOwner, length: number | undefined) {
    this.#owner = owner;
    this.#lengthLeft = length;
    this.#received = new ReceiveWindow(owner.windowBytes, (bytes) => owner.giveBack(this, bytes));
  }

  get id(): number {
    return this.queue.id;
  }

  /** Whether it is over: answered in full, reset, or lost. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Bytes of the answer that wait for room: what a slow reader makes the process keep. */
  get unsentBytes(): number {
    return this.queue.unsentBytes;
  }

  /**
   * Sends the headers of the answer.
   *
   * @param headers names in lower case and values by turns, `:status` first.
   * @param endsStream whether they are all of the answer. Default: false.
   */
  respond(headers: readonly string[], endsStream = false): void {
    if (this.#isOver || this.#hasHeaders) return;
    this.#hasHeaders = true;
    this.#owner.sendHeaders(this, headers, endsStream);
    if (endsStream) this.#onAnswered();
  }

  /** @param taken called once the bytes are on their way: the time to write more. */
  write(bytes: Buffer, taken?: () => void): void {
    if (this.#hasHeaders && this.queue.push(bytes, taken)) this.#owner.wake(this);
  }

  /**
   * Ends the answer. Where the request is not complete, the client is asked to send no more of it (RFC 9113, 8.1).
   *
   * @param trailers names and values by turns. Default: none.
   */
  end(trailers?: readonly string[]): void {
    if (!this.#hasHeaders) return;
    const frames = trailers && ((): Buffer => this.#owner.trailersOf(this, trailers));
    if (this.queue.end(frames)) this.#owner.wake(this);
  }

  /** The client may send no more than the window of the stream. */
  pause(): void {
    this.#received.pause();
  }

  resume(): void {
    this.#received.resume();
  }

  /** So many more bytes are wanted, such as the rest of a message: the client may send them without waiting. */
  expect(bytes: number): void {
    if (!this.#isRemoteEnded) this.#received.expect(bytes);
  }

  /** Resets it; its listener is not called any more. */
  close(code: number = HTTP2_ERROR.cancel): void {
    if (this.#isOver) return;
    this.#stop();
    this.#owner.leave(this, code);
  }

  /** For its session: the listener for what follows the headers. */
  begin(listener: ServerStreamListener, endsStream: boolean): void {
    this.#listener = listener;
    if (this.#isAnswered) listener.onAnswered?.();
    if (endsStream && !this.#isOver) this.#endRemote(undefined);
  }

  /**
   * For its session: data has come.
   *
   * @param frameBytes with padding: what its window counts.
   */
  receiveData(data: Buffer, frameBytes: number, endsStream: boolean): void {
    if (this.#isRemoteEnded) return this.fail(HTTP2_ERROR.streamClosed);
    if (!this.#received.receive(frameBytes)) return this.fail(HTTP2_ERROR.flowControl);
    if (this.#lengthLeft !== undefined) {
      this.#lengthLeft -= data.length;
      if (this.#lengthLeft < 0) return this.fail(HTTP2_ERROR.protocol);
    }
    if (data.length > 0) this.#listener?.onData(data);
    if (this.#isOver) return;
    if (endsStream) this.#endRemote(undefined);
    else this.#received.settle();
  }

  /** For its session: a second block of headers has come. */
  receiveTrailers(received: ReceivedRequest, endsStream: boolean): void {
    if (this.#isRemoteEnded) return this.fail(HTTP2_ERROR.streamClosed);
    const isFine = received.fault === undefined && received.isTrailers && endsStream;
    if (isFine) this.#endRemote(received);
    else this.fail(received.fault ?? HTTP2_ERROR.protocol);
  }

  /** For its session: resets it for what the client did. */
  fail(code: number): void {
    if (this.#isOver) return;
    this.close(code);
    this.#listener?.onClosed(code);
    this.#owner.failed();
  }

  /** For its session: the client has reset it, or the connection is gone. */
  receiveEnd(code: number | 'lost'): void {
    if (this.#isOver) return;
    this.#stop();
    this.#owner.leave(this);
    this.#listener?.onClosed(code);
  }

  #endRemote(trailers: ReceivedRequest | undefined): void {
    if (this.#lengthLeft !== undefined && this.#lengthLeft > 0) {
      return this.fail(HTTP2_ERROR.protocol);
    }
    this.#isRemoteEnded = true;
    this.#received.close();
    this.#listener?.onEnd(trailers?.headers);
  }

  #onAnswered(): void {
    this.#isAnswered = true;
    this.#stop();
    this.#owner.answered(this);
    this.#owner.leave(this, this.#isRemoteEnded ? undefined : HTTP2_ERROR.none);
    this.#listener?.onAnswered?.();
  }

  #stop(): void {
    this.#isOver = true;
    this.#received.close();
    this.queue.clear();
  }
}
