import type { Socket } from 'node:net';
import { MAX_HEADER_BYTES } from '../frames/field-rules.js';
import { FrameReceiver } from '../frames/frame-receiver.js';
import {
  ConnectionError,
  DEFAULT_WINDOW_BYTES,
  FRAME,
  HTTP2_ERROR,
  MAX_WINDOW_BYTES,
  SETTING,
  goawayFrame,
  settingsFrame,
  wordFrame,
} from '../frames/frames.js';
import { headerFrames } from '../frames/header-frames.js';
import { Pings } from '../frames/pings.js';
import { PrefaceCheck } from '../frames/preface-check.js';
import { ReceivedRequest } from '../frames/received-request.js';
import { type DataSource, SessionOutput } from '../frames/session-output.js';
import { HeaderEncoder } from '../hpack/header-encoder.js';
import { SendSchedule } from '../streams/send-schedule.js';
import { Conduct, WaitLimit } from './conduct.js';
import { SESSION_WINDOW_BYTES, ServerFrames } from './server-frames.js';
import type { ServerSessionListener } from './server-listener.js';
import { type ServerSessionOptions, resolveServerOptions } from './server-options.js';
import type { Http2ServerStream, ServerStreamOwner } from './server-stream.js';

/** What still comes after the end for a misuse is read so long, so that the GOAWAY is. */
const LINGER_MS = 1_000;

/** How long a client may take to acknowledge that the connection ends; then it has read it, or is gone. */
const ANSWER_MS = 1_000;

/** A stream that no client gets to: with it a GOAWAY announces the end (RFC 9113, 6.8). */
const LAST_OF_ALL = MAX_WINDOW_BYTES;

/** The server's side of one HTTP/2 connection (RFC 9113). */
export class ServerSession implements ServerStreamOwner, DataSource {
  readonly windowBytes: number;
  readonly #socket: Socket;
  readonly #listener: ServerSessionListener;
  readonly #output: SessionOutput;
  readonly #preface = new PrefaceCheck();
  readonly #frames: ServerFrames;
  readonly #receiver: FrameReceiver<ReceivedRequest>;
  readonly #encoder = new HeaderEncoder();
  readonly #pings = new Pings();
  readonly #conduct = new Conduct();
  readonly #waiting = new WaitLimit((reason) => this.#endFor(HTTP2_ERROR.enhanceYourCalm, reason));
  readonly #schedule = new SendSchedule((bytes, isCut) => this.#conduct.creditSent(bytes, isCut));
  readonly #streams = new Map<number, Http2ServerStream>();
  #isPaused = false;
  #answering: NodeJS.Timeout | undefined;
  /** `announced`: a GOAWAY is on its way; `closing`: streams that begin now are not looked at. */
  #phase: 'open' | 'announced' | 'closing' | 'destroyed' = 'open';

  /**
   * @param socket connected, and with TLS agreed on `h2`; nothing else may read it or write to it.
   * @throws RangeError for options out of their bounds.
   */
  constructor(socket: Socket, listener: ServerSessionListener, options: ServerSessionOptions = {}) {
    const { maxStreams, windowBytes } = resolveServerOptions(options);
    this.windowBytes = windowBytes;
    this.#socket = socket;
    this.#listener = listener;
    this.#output = new SessionOutput(socket, this);
    this.#frames = new ServerFrames({
      owner: this,
      listener,
      maxStreams,
      streams: this.#streams,
      output: this.#output,
      schedule: this.#schedule,
      encoder: this.#encoder,
      pings: this.#pings,
      conduct: this.#conduct,
      isClosing: () => this.#phase === 'closing',
      isDestroyed: () => this.isDestroyed,
    });
    this.#receiver = new FrameReceiver(this.#frames, ReceivedRequest.read);
    this.#output.add(
      settingsFrame([
        [SETTING.maxConcurrentStreams, maxStreams],
        [SETTING.initialWindowSize, windowBytes],
        [SETTING.maxHeaderListSize, MAX_HEADER_BYTES],
      ]),
    );
    this.#output.add(
      wordFrame(FRAME.windowUpdate, 0, 0, SESSION_WINDOW_BYTES - DEFAULT_WINDOW_BYTES),
    );
    this.#waiting.watch(this.#receiver.awaits);
    // What one turn brings is one write, which need not wait for more.
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (data: Buffer) => this.#read(data));
    socket.once('end', () => this.destroy());
    socket.once('close', () => this.destroy());
    if (socket.destroyed) queueMicrotask(() => this.destroy());
  }

  /** Whether it is gone, with all of its streams. */
  get isDestroyed(): boolean {
    return this.#phase === 'destroyed';
  }

  /** Requests that are not answered. */
  get streamCount(): number {
    return this.#streams.size;
  }

  /** Bytes of answers that wait for the client to read. */
  get unsentBytes(): number {
    let bytes = 0;
    for (const stream of this.#streams.values()) bytes += stream.unsentBytes;
    return bytes;
  }

  /** @returns false where it is gone. */
  ping(done: (error: Error | null) => void): boolean {
    if (this.isDestroyed) return false;
    this.#output.add(this.#pings.next(done));
    return true;
  }

  /**
   * Asks the client to begin no further streams, serves those that were on their way, and ends with the last one. It
   * waits for that one without a limit; {@link destroy} ends it at once.
   */
  close(): void {
    if (this.#phase !== 'open') return;
    if (!this.#receiver.hasSettings) {
      this.destroy();
      return;
    }
    this.#phase = 'announced';
    this.#output.add(goawayFrame(LAST_OF_ALL, HTTP2_ERROR.none, ''));
    this.#answering = setTimeout(() => this.#closeNow(), ANSWER_MS).unref();
    this.ping(() => this.#closeNow());
  }

  /** Resets its streams, so that clients do not take their calls for lost, and ends it at once. */
  cancel(): void {
    if (this.isDestroyed) return;
    for (const id of this.#streams.keys()) {
      this.#output.add(wordFrame(FRAME.reset, 0, id, HTTP2_ERROR.cancel));
    }
    this.destroy();
  }

  /**
   * Ends it with all of its streams.
   *
   * @param code of the GOAWAY. Default: 0.
   * @param text for those who debug the client. Default: none.
   */
  destroy(code: number = HTTP2_ERROR.none, text = ''): void {
    this.#end(code, text, 0);
  }

  sendHeaders(stream: Http2ServerStream, headers: readonly string[], endsStream: boolean): void {
    this.#output.add(headerFrames(this.#encoder, stream.id, headers, endsStream));
  }

  trailersOf(stream: Http2ServerStream, headers: readonly string[]): Buffer {
    return headerFrames(this.#encoder, stream.id, headers, true);
  }

  wake(stream: Http2ServerStream): void {
    this.#schedule.wake(stream.queue, this.#output);
  }

  giveBack(stream: Http2ServerStream, bytes: number): void {
    if (!this.isDestroyed) this.#output.add(wordFrame(FRAME.windowUpdate, 0, stream.id, bytes));
  }

  answered(): void {
    this.#conduct.creditAnswer();
  }

  failed(): void {
    this.#conduct.countReset();
  }

  leave(stream: Http2ServerStream, code?: number): void {
    this.#schedule.remove(stream.queue);
    this.#streams.delete(stream.id);
    if (this.isDestroyed) return;
    if (code !== undefined) this.#output.add(wordFrame(FRAME.reset, 0, stream.id, code));
    this.#endIfDone();
  }

  fill(output: SessionOutput): void {
    this.#schedule.fill(output);
  }

  onWritten(output: SessionOutput): void {
    this.#schedule.onWritten(output);
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#waiting.watch(this.#receiver.awaits);
    this.#socket.resume();
  }

  #read(data: Buffer): void {
    if (this.isDestroyed) return;
    try {
      const frames = this.#preface.strip(data);
      if (frames.length > 0) this.#receiver.receive(frames);
    } catch (error) {
      if (!(error instanceof ConnectionError)) throw error;
      this.#endFor(error.code, error.message);
    }
    if (this.isDestroyed) return;
    if (this.#output.isBacklogged) this.#pause();
    this.#waiting.watch(this.#isPaused ? 'reading' : this.#receiver.awaits);
  }

  /** Reads no more of a client that reads nothing. */
  #pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
  }

  #endFor(code: number, reason: string): void {
    if (this.isDestroyed) return;
    this.#listener.onMisuse(code, reason);
    this.#end(code, reason, LINGER_MS);
  }

  #end(code: number, text: string, lingerMs: number): void {
    if (this.isDestroyed) return;
    this.#phase = 'destroyed';
    this.#waiting.stop();
    clearTimeout(this.#answering);
    this.#output.add(goawayFrame(this.#frames.lastId, code, text));
    this.#output.end(lingerMs);
    for (const stream of this.#streams.values()) stream.receiveEnd('lost');
    this.#schedule.clear();
    this.#pings.fail();
    this.#listener.onClosed();
  }

  #closeNow(): void {
    clearTimeout(this.#answering);
    if (this.#phase !== 'announced') return;
    this.#phase = 'closing';
    this.#output.add(goawayFrame(this.#frames.lastId, HTTP2_ERROR.none, ''));
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#phase === 'closing' && this.#streams.size === 0) this.destroy();
  }
}
