import type { Socket } from 'node:net';
import { HeaderEncoder } from '../hpack/header-encoder.js';
import { ClientStream, type ClientStreamListener, type StreamOwner } from './client-stream.js';
import {
  ConnectionError,
  DEFAULT_WINDOW_BYTES,
  HTTP2_ERROR,
  FLAG,
  FRAME,
  PREFACE,
  SETTING,
  settingsFrame,
  wordFrame,
} from '../frames/frames.js';
import { assertWindow, broken } from '../frames/frame-checks.js';
import { type FrameHandler, FrameReceiver } from '../frames/frame-receiver.js';
import { headerFrames } from '../frames/header-frames.js';
import { PeerSettings } from '../frames/peer-settings.js';
import { Pings } from '../frames/pings.js';
import { ReceivedHeaders } from '../frames/received-headers.js';
import type { SessionListener } from './session-listener.js';
import { SessionOutput } from '../frames/session-output.js';
import { SendSchedule, growWindow } from '../streams/send-schedule.js';

/**
 * Bytes of data that a connection may have on its way to here, at least. They are given back, whether they were read or
 * not, once half of them have come: the windows of the streams limit what waits.
 */
const SESSION_WINDOW_BYTES = 2 ** 20;

/** The client's side of one HTTP/2 connection (RFC 9113). */
// Why: docs/decisions/0297
export class ClientSession implements StreamOwner, FrameHandler<ReceivedHeaders> {
  readonly windowBytes: number;
  readonly #socket: Socket;
  readonly #listener: SessionListener;
  readonly #output: SessionOutput;
  readonly #receiver = new FrameReceiver(this, ReceivedHeaders.read);
  readonly #encoder = new HeaderEncoder();
  readonly #peer = new PeerSettings(false);
  readonly #pings = new Pings();
  readonly #streams = new Map<number, ClientStream>();
  /** Above what the other end takes at a time, with their headers. */
  readonly #waiting = new Map<ClientStream, readonly string[]>();
  readonly #schedule = new SendSchedule();
  #nextId = 1;
  readonly #ownWindow: number;
  #keptBytes = 0;
  #isReady = false;
  #isClosing = false;
  #isDestroyed = false;

  /** @param windowBytes of a stream; undefined for the default of HTTP/2, 65,535. */
  constructor(socket: Socket, windowBytes: number | undefined, listener: SessionListener) {
    this.windowBytes = windowBytes ?? DEFAULT_WINDOW_BYTES;
    this.#socket = socket;
    this.#listener = listener;
    this.#output = new SessionOutput(socket, this.#schedule);
    this.#ownWindow = Math.max(SESSION_WINDOW_BYTES, this.windowBytes);
    this.#output.add(PREFACE);
    this.#output.add(
      settingsFrame([
        [SETTING.enablePush, 0],
        [SETTING.initialWindowSize, this.windowBytes],
      ]),
    );
    this.#output.add(wordFrame(FRAME.windowUpdate, 0, 0, this.#ownWindow - DEFAULT_WINDOW_BYTES));
    socket.on('data', (data: Buffer) => this.#read(data));
    socket.once('end', () => this.destroy());
    socket.once('close', () => this.destroy());
  }

  /** Whether it is gone, with all of its streams. */
  get isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  /** Whether it takes streams. */
  get isOpen(): boolean {
    return !this.#isClosing && !this.#isDestroyed;
  }

  ref(): void {
    this.#socket.ref();
  }

  unref(): void {
    this.#socket.unref();
  }

  /**
   * Begins a stream, or has it wait until the other end takes one more.
   *
   * @param headers names and values by turns.
   */
  begin(headers: readonly string[], listener: ClientStreamListener): ClientStream {
    const stream = new ClientStream(this, listener);
    if (this.#streams.size < this.#peer.maxStreams) this.#start(stream, headers);
    else this.#waiting.set(stream, headers);
    return stream;
  }

  /** @returns false where it is gone. */
  ping(done: (error: Error | null) => void): boolean {
    if (this.#isDestroyed) return false;
    this.#output.add(this.#pings.next(done));
    return true;
  }

  /** Takes no further streams, and ends with the last one. */
  close(): void {
    this.#isClosing = true;
    this.#endIfDone();
  }

  /** Ends with all of its streams. */
  destroy(code: number = HTTP2_ERROR.none): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#output.add(wordFrame(FRAME.goaway, 0, 0, 0, code));
    this.#output.end();
    this.#refuseWaiting();
    for (const stream of this.#streams.values()) stream.receiveEnd('lost');
    this.#schedule.clear();
    this.#pings.fail();
    this.#listener.onClosed();
  }

  wake(stream: ClientStream): void {
    this.#schedule.wake(stream.queue, this.#output);
  }

  giveBack(stream: ClientStream, bytes: number): void {
    this.#output.add(wordFrame(FRAME.windowUpdate, 0, stream.queue.id, bytes));
  }

  leave(stream: ClientStream, code?: number): void {
    this.#schedule.remove(stream.queue);
    if (this.#waiting.delete(stream)) return;
    this.#streams.delete(stream.queue.id);
    if (this.#isDestroyed) return;
    if (code !== undefined) this.#output.add(wordFrame(FRAME.reset, 0, stream.queue.id, code));
    this.#startWaiting();
    this.#endIfDone();
  }

  onHeaders(id: number, received: ReceivedHeaders, endsStream: boolean): void {
    this.#known(id)?.receiveHeaders(received, endsStream);
  }

  onData(id: number, data: Buffer, frameBytes: number, endsStream: boolean): void {
    this.#keptBytes += frameBytes;
    if (this.#keptBytes * 2 >= this.#ownWindow) {
      this.#output.add(wordFrame(FRAME.windowUpdate, 0, 0, this.#keptBytes));
      this.#keptBytes = 0;
    }
    this.#known(id)?.receiveData(data, frameBytes, endsStream);
  }

  onReset(id: number, code: number): void {
    this.#known(id)?.receiveEnd(code);
  }

  onSettings(payload: Buffer): void {
    const before = this.#peer.initialWindow;
    this.#peer.read(payload);
    this.#changeWindows(this.#peer.initialWindow - before);
    if (this.#peer.headerTableBytes !== undefined) {
      this.#encoder.resize(this.#peer.headerTableBytes);
    }
    this.#reply(wordFrame(FRAME.settings, FLAG.ack, 0));
    if (!this.#isReady) {
      this.#isReady = true;
      this.#listener.onReady();
    }
    this.#startWaiting();
  }

  onPing(payload: Buffer): void {
    this.#reply(Pings.answerTo(payload));
  }

  onPong(payload: Buffer): void {
    this.#pings.answer(payload);
  }

  onWindow(id: number, bytes: number): void {
    if (id === 0) {
      this.#schedule.grow(bytes, this.#output);
      return;
    }
    const stream = this.#known(id);
    if (stream === undefined) return;
    const fault = growWindow(stream.queue, bytes);
    if (fault === undefined) this.wake(stream);
    else stream.fail(fault);
  }

  onIgnored(): void {}

  onGoaway(lastStream: number, code: number, data: Buffer): void {
    this.#isClosing = true;
    this.#listener.onGoaway(code, data);
    // First, so that none of them begins where another one ends.
    this.#refuseWaiting();
    // The other end has not looked at them.
    for (const [id, stream] of this.#streams) {
      if (id > lastStream) stream.receiveEnd(HTTP2_ERROR.refusedStream);
    }
    if (code === HTTP2_ERROR.none) this.#endIfDone();
    else this.destroy();
  }

  #start(stream: ClientStream, headers: readonly string[]): void {
    const id = this.#nextId;
    this.#nextId += 2;
    stream.queue.id = id;
    stream.queue.window = this.#peer.initialWindow;
    this.#streams.set(id, stream);
    this.#output.add(headerFrames(this.#encoder, id, headers));
    this.wake(stream);
  }

  #startWaiting(): void {
    for (const [stream, headers] of this.#waiting) {
      if (this.#streams.size >= this.#peer.maxStreams) return;
      this.#waiting.delete(stream);
      this.#start(stream, headers);
    }
  }

  #refuseWaiting(): void {
    for (const stream of this.#waiting.keys()) stream.receiveEnd(HTTP2_ERROR.refusedStream);
  }

  #endIfDone(): void {
    if (this.#isClosing && this.#streams.size + this.#waiting.size === 0) this.destroy();
  }

  #read(data: Buffer): void {
    if (this.#isDestroyed) return;
    try {
      this.#receiver.receive(data);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.destroy(error.code);
    }
  }

  #changeWindows(bytes: number): void {
    if (bytes === 0) return;
    for (const stream of this.#streams.values()) {
      stream.queue.window += bytes;
      assertWindow(stream.queue.window);
      this.wake(stream);
    }
  }

  /** @throws ConnectionError for a stream that has never been. */
  #known(id: number): ClientStream | undefined {
    const stream = this.#streams.get(id);
    if (stream === undefined && (id % 2 === 0 || id >= this.#nextId)) {
      throw broken(`a frame of stream ${id}, which nobody has opened`);
    }
    return stream;
  }

  #reply(frame: Buffer): void {
    if (this.#output.reply(frame)) return;
    throw new ConnectionError(
      HTTP2_ERROR.enhanceYourCalm,
      'more pings or settings than answers are read',
    );
  }
}
