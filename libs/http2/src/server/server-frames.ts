import { assertLength, assertWindow, broken } from '../frames/frame-checks.js';
import type { FrameHandler } from '../frames/frame-receiver.js';
import { ConnectionError, FLAG, FRAME, HTTP2_ERROR, wordFrame } from '../frames/frames.js';
import { PeerSettings } from '../frames/peer-settings.js';
import { Pings } from '../frames/pings.js';
import type { ReceivedRequest } from '../frames/received-request.js';
import type { SessionOutput } from '../frames/session-output.js';
import type { HeaderEncoder } from '../hpack/header-encoder.js';
import { type SendSchedule, growWindow } from '../streams/send-schedule.js';
import type { Conduct } from './conduct.js';
import type { ServerSessionListener } from './server-listener.js';
import { Http2ServerStream, type ServerStreamOwner } from './server-stream.js';

/** Bytes of data that a connection may have on its way to here; the windows of the streams limit what waits. */
export const SESSION_WINDOW_BYTES = 2 ** 20;

/** Priorities are ignored, but have a form (RFC 9113, 6.3). */
const PRIORITY_BYTES = 5;

/** What frames have an effect on. */
export interface ServerParts {
  readonly owner: ServerStreamOwner;
  readonly listener: ServerSessionListener;
  readonly maxStreams: number;
  readonly streams: Map<number, Http2ServerStream>;
  readonly output: SessionOutput;
  readonly schedule: SendSchedule;
  readonly encoder: HeaderEncoder;
  readonly pings: Pings;
  readonly conduct: Conduct;
  /** Whether streams that begin now are not looked at. */
  isClosing(): boolean;
  isDestroyed(): boolean;
}

/** What the frames of a client do. */
export class ServerFrames implements FrameHandler<ReceivedRequest> {
  /** The highest stream that was begun, refused ones too. */
  lastId = 0;
  readonly #of: ServerParts;
  readonly #peer = new PeerSettings(true);
  /** The highest stream that began too late; it may have data. */
  #ignoredId = 0;
  #keptBytes = 0;
  /** The client has acknowledged the settings. */
  #hasAck = false;

  constructor(parts: ServerParts) {
    this.#of = parts;
  }

  get isDestroyed(): boolean {
    return this.#of.isDestroyed();
  }

  onHeaders(id: number, received: ReceivedRequest, endsStream: boolean): void {
    const known = this.#of.streams.get(id);
    if (known !== undefined) known.receiveTrailers(received, endsStream);
    else if (id % 2 === 0) throw broken(`a stream of the number ${id}, which is not for clients`);
    // Trailers that were on their way when it ended, or a stream above the last one of a GOAWAY.
    else if (id <= this.lastId || this.#of.isClosing()) {
      this.#ignoredId = Math.max(this.#ignoredId, id);
      this.#of.conduct.countReset();
    } else this.#begin(id, received, endsStream);
  }

  onData(id: number, data: Buffer, frameBytes: number, endsStream: boolean): void {
    this.#keptBytes += frameBytes;
    if (this.#keptBytes * 2 >= SESSION_WINDOW_BYTES) {
      this.#of.output.add(wordFrame(FRAME.windowUpdate, 0, 0, this.#keptBytes));
      this.#keptBytes = 0;
    }
    const stream = this.#known(id);
    if (stream === undefined || (data.length === 0 && !endsStream)) this.#of.conduct.countFrame();
    stream?.receiveData(data, frameBytes, endsStream);
  }

  onReset(id: number, code: number): void {
    const stream = this.#known(id);
    if (stream === undefined) this.#of.conduct.countFrame();
    else {
      stream.receiveEnd(code);
      this.#of.conduct.countReset();
    }
  }

  onSettings(payload: Buffer): void {
    this.#of.conduct.countSettings();
    const before = this.#peer.initialWindow;
    this.#peer.read(payload);
    const change = this.#peer.initialWindow - before;
    if (change !== 0) {
      for (const stream of this.#of.streams.values()) {
        stream.queue.window += change;
        assertWindow(stream.queue.window);
        this.#of.owner.wake(stream);
      }
    }
    if (this.#peer.headerTableBytes !== undefined) {
      this.#of.encoder.resize(this.#peer.headerTableBytes);
    }
    this.#reply(wordFrame(FRAME.settings, FLAG.ack, 0));
  }

  onPing(payload: Buffer): void {
    this.#of.conduct.countFrame();
    this.#reply(Pings.answerTo(payload));
  }

  onPong(payload: Buffer): void {
    if (!this.#of.pings.answer(payload)) this.#of.conduct.countFrame();
  }

  onWindow(id: number, bytes: number): void {
    this.#of.conduct.countFrame();
    if (id === 0) {
      this.#of.schedule.grow(bytes, this.#of.output);
      return;
    }
    const stream = this.#known(id);
    if (stream === undefined) return;
    const fault = growWindow(stream.queue, bytes);
    if (fault === undefined) this.#of.owner.wake(stream);
    else stream.fail(fault);
  }

  /** The client will close the connection. */
  onGoaway(): void {
    this.#of.conduct.countFrame();
  }

  onIgnored(type: number, stream: number, payload: Buffer): void {
    if (type === FRAME.settings && !this.#hasAck) {
      this.#hasAck = true;
      return;
    }
    this.#of.conduct.countFrame();
    if (type !== FRAME.priority) return;
    if (stream === 0) throw broken('a priority of no stream');
    assertLength(payload, PRIORITY_BYTES);
  }

  #begin(id: number, received: ReceivedRequest, endsStream: boolean): void {
    const { owner, listener, maxStreams } = this.#of;
    this.lastId = id;
    const fault = received.fault ?? (received.isTrailers ? HTTP2_ERROR.protocol : undefined);
    if (fault !== undefined || this.#of.streams.size >= maxStreams) {
      this.#of.output.add(wordFrame(FRAME.reset, 0, id, fault ?? HTTP2_ERROR.refusedStream));
      // Until it has acknowledged the settings, a client cannot know how many streams there may be.
      if (fault === undefined && !this.#hasAck) this.#of.conduct.countFrame();
      else this.#of.conduct.countReset();
      return;
    }
    const stream = new Http2ServerStream(owner, received.length);
    stream.queue.id = id;
    stream.queue.window = this.#peer.initialWindow;
    this.#of.streams.set(id, stream);
    stream.begin(listener.onStream(stream, received), endsStream);
  }

  /** @throws ConnectionError for a stream that has never been. */
  #known(id: number): Http2ServerStream | undefined {
    const stream = this.#of.streams.get(id);
    if (stream === undefined && (id % 2 === 0 || id > Math.max(this.lastId, this.#ignoredId))) {
      throw broken(`a frame of stream ${id}, which nobody has opened`);
    }
    return stream;
  }

  #reply(frame: Buffer): void {
    if (this.#of.output.reply(frame)) return;
    throw new ConnectionError(HTTP2_ERROR.enhanceYourCalm, 'more answers than are read');
  }
}
