import type { Socket } from 'node:net';
import { CompressionError } from '../hpack/compression-error.js';
import { HeaderDecoder } from '../hpack/header-decoder.js';
import { HeaderEncoder } from '../hpack/header-encoder.js';
import { ClientStream, type StreamListener, type StreamOwner } from './client-stream.js';
import {
  ConnectionError,
  DEFAULT_WINDOW_BYTES,
  ERROR,
  FLAG,
  FRAME,
  MAX_WINDOW_BYTES,
  PREFACE,
  SETTING,
  settingsFrame,
  wordFrame,
} from './frames.js';
import { type Frame, FrameSplitter } from './frame-splitter.js';
import { type HeaderBlock, HeaderBlocks, withoutPadding } from './header-block.js';
import { headerFrames } from './header-frames.js';
import { PeerSettings } from './peer-settings.js';
import { Pings } from './pings.js';
import { ReceivedHeaders } from './received-headers.js';
import { type DataSource, SessionOutput } from './session-output.js';

/** What a connection may have on its way to here; what came is given back at once, for streams bound it. */
const SESSION_WINDOW_BYTES = 2 ** 20;

/** What becomes of a session. */
export interface SessionListener {
  /** The other end has sent its settings. */
  onReady(): void;
  /** The other end takes no further streams. */
  onGoaway(code: number, data: Buffer): void;
  /** Once; nothing follows. */
  onClosed(): void;
}

/** One connection of HTTP/2 as its client has it (RFC 9113). */
// Why: docs/decisions/0355
export class ClientSession implements StreamOwner, DataSource {
  readonly windowBytes: number;
  readonly #socket: Socket;
  readonly #listener: SessionListener;
  readonly #output: SessionOutput;
  readonly #splitter = new FrameSplitter();
  readonly #blocks = new HeaderBlocks();
  readonly #decoder = new HeaderDecoder();
  readonly #encoder = new HeaderEncoder();
  readonly #peer = new PeerSettings();
  readonly #pings = new Pings();
  readonly #streams = new Map<number, ClientStream>();
  /** Above what the other end takes at a time, with their headers. */
  readonly #waiting = new Map<ClientStream, readonly string[]>();
  /** Those with something to send. */
  readonly #ready = new Set<ClientStream>();
  /** To be called once the data that was added is on its way. */
  #taken: (() => void)[] = [];
  #nextId = 1;
  #sendWindow = DEFAULT_WINDOW_BYTES;
  #keptBytes = 0;
  #isReady = false;
  #isClosing = false;
  #isDestroyed = false;

  /** @param windowBytes of a stream; undefined for what HTTP/2 has. */
  constructor(socket: Socket, windowBytes: number | undefined, listener: SessionListener) {
    this.windowBytes = windowBytes ?? DEFAULT_WINDOW_BYTES;
    this.#socket = socket;
    this.#listener = listener;
    this.#output = new SessionOutput(socket, this);
    const window = Math.max(SESSION_WINDOW_BYTES, this.windowBytes);
    this.#output.add(PREFACE);
    this.#output.add(
      settingsFrame([
        [SETTING.enablePush, 0],
        [SETTING.initialWindowSize, this.windowBytes],
      ]),
    );
    this.#output.add(wordFrame(FRAME.windowUpdate, 0, 0, window - DEFAULT_WINDOW_BYTES));
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
  begin(headers: readonly string[], listener: StreamListener): ClientStream {
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
  destroy(code: number = ERROR.none): void {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.#output.add(wordFrame(FRAME.goaway, 0, 0, 0, code));
    this.#output.end();
    this.#refuseWaiting();
    for (const stream of [...this.#streams.values()]) stream.receiveEnd('lost');
    this.#ready.clear();
    this.#pings.fail();
    this.#listener.onClosed();
  }

  wake(stream: ClientStream): void {
    if (stream.id === 0 || !stream.canSend) return;
    this.#ready.add(stream);
    this.#output.wake();
  }

  giveBack(stream: ClientStream, bytes: number): void {
    this.#output.add(wordFrame(FRAME.windowUpdate, 0, stream.id, bytes));
  }

  leave(stream: ClientStream, code?: number): void {
    this.#ready.delete(stream);
    if (this.#waiting.delete(stream)) return;
    this.#streams.delete(stream.id);
    if (this.#isDestroyed) return;
    if (code !== undefined) this.#output.add(wordFrame(FRAME.reset, 0, stream.id, code));
    this.#startWaiting();
    this.#endIfDone();
  }

  fill(output: SessionOutput): void {
    for (const stream of this.#ready) {
      if (!output.hasRoom) return;
      this.#ready.delete(stream);
      this.#sendWindow -= stream.sendData(output, this.#sendWindow, this.#taken);
      if (!stream.canSend) continue;
      this.#ready.add(stream);
      if (stream.hasPending && this.#sendWindow <= 0) return;
    }
  }

  onWritten(): void {
    const taken = this.#taken;
    this.#taken = [];
    for (const run of taken) run();
    if (this.#ready.size > 0 && this.#sendWindow > 0) this.#output.wake();
  }

  #start(stream: ClientStream, headers: readonly string[]): void {
    stream.id = this.#nextId;
    this.#nextId += 2;
    stream.sendWindow = this.#peer.initialWindow;
    this.#streams.set(stream.id, stream);
    this.#output.add(headerFrames(this.#encoder, stream.id, headers));
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
    for (const stream of [...this.#waiting.keys()]) stream.receiveEnd(ERROR.refusedStream);
  }

  #endIfDone(): void {
    if (this.#isClosing && this.#streams.size + this.#waiting.size === 0) this.destroy();
  }

  #read(data: Buffer): void {
    if (this.#isDestroyed) return;
    try {
      this.#splitter.split(data, (frame) => {
        this.#receive(frame);
        return !this.#isDestroyed;
      });
    } catch (error) {
      if (error instanceof ConnectionError) this.destroy(error.code);
      else if (error instanceof CompressionError) this.destroy(ERROR.compression);
      else throw error;
    }
  }

  #receive(frame: Frame): void {
    if (!this.#isReady && frame.type !== FRAME.settings) throw broken('no settings at first');
    const block = this.#blocks.take(frame);
    if (block === 'incomplete') return;
    if (block === 'none') this.#receiveOther(frame);
    else this.#receiveHeaders(block);
  }

  #receiveOther(frame: Frame): void {
    const { type, flags, stream, payload } = frame;
    switch (type) {
      case FRAME.data:
        this.#receiveData(frame);
        break;
      case FRAME.reset:
        assertLength(payload, 4);
        this.#known(stream)?.receiveEnd(payload.readUInt32BE(0));
        break;
      case FRAME.settings:
        this.#receiveSettings(frame);
        break;
      case FRAME.ping:
        assertLength(payload, 8);
        assertOfSession(stream);
        if ((flags & FLAG.ack) !== 0) this.#pings.answer(payload);
        else this.#reply(Pings.answerTo(payload));
        break;
      case FRAME.goaway:
        assertOfSession(stream);
        this.#receiveGoaway(payload);
        break;
      case FRAME.windowUpdate:
        assertLength(payload, 4);
        this.#receiveWindow(stream, payload.readUInt32BE(0) & MAX_WINDOW_BYTES);
        break;
      case FRAME.pushPromise:
        throw broken('a promise to push');
      default:
      // Priorities, and what later versions have (RFC 9113, 5.5).
    }
  }

  #receiveHeaders({ stream, endsStream, bytes }: HeaderBlock): void {
    const received = ReceivedHeaders.read(this.#decoder, bytes);
    this.#known(stream)?.receiveHeaders(received, endsStream);
  }

  #receiveData({ flags, stream, payload }: Frame): void {
    const data = withoutPadding(flags, payload, 0);
    this.#keptBytes += payload.length;
    const windowBytes = Math.max(SESSION_WINDOW_BYTES, this.windowBytes);
    if (this.#keptBytes * 2 >= windowBytes) {
      this.#output.add(wordFrame(FRAME.windowUpdate, 0, 0, this.#keptBytes));
      this.#keptBytes = 0;
    }
    const endsStream = (flags & FLAG.endStream) !== 0;
    this.#known(stream)?.receiveData(data, payload.length, endsStream);
  }

  #receiveSettings({ flags, stream, payload }: Frame): void {
    assertOfSession(stream);
    if ((flags & FLAG.ack) !== 0) {
      assertLength(payload, 0);
      return;
    }
    const before = this.#peer.initialWindow;
    this.#peer.read(payload);
    this.#changeWindows(this.#peer.initialWindow - before);
    if (this.#peer.headerTableBytes !== undefined) {
      this.#encoder.resize(this.#peer.headerTableBytes);
    }
    this.#reply(settingsAck());
    if (!this.#isReady) {
      this.#isReady = true;
      this.#listener.onReady();
    }
    this.#startWaiting();
  }

  #changeWindows(bytes: number): void {
    if (bytes === 0) return;
    for (const stream of this.#streams.values()) {
      stream.sendWindow += bytes;
      if (stream.sendWindow > MAX_WINDOW_BYTES) {
        throw new ConnectionError(ERROR.flowControl, 'a window that overflows');
      }
      this.wake(stream);
    }
  }

  #receiveWindow(id: number, bytes: number): void {
    if (id === 0) {
      this.#sendWindow += bytes;
      if (bytes === 0) throw broken('a window that does not grow');
      if (this.#sendWindow > MAX_WINDOW_BYTES) {
        throw new ConnectionError(ERROR.flowControl, 'a window that overflows');
      }
      if (this.#ready.size > 0) this.#output.wake();
      return;
    }
    const stream = this.#known(id);
    if (stream === undefined) return;
    stream.sendWindow += bytes;
    if (bytes === 0) stream.fail(ERROR.protocol);
    else if (stream.sendWindow > MAX_WINDOW_BYTES) stream.fail(ERROR.flowControl);
    else this.wake(stream);
  }

  #receiveGoaway(payload: Buffer): void {
    if (payload.length < 8) throw new ConnectionError(ERROR.frameSize, 'a GOAWAY that is cut off');
    const last = payload.readUInt32BE(0) & MAX_WINDOW_BYTES;
    const code = payload.readUInt32BE(4);
    this.#isClosing = true;
    this.#listener.onGoaway(code, payload.subarray(8));
    // The other end has not looked at them.
    for (const [id, stream] of [...this.#streams]) {
      if (id > last) stream.receiveEnd(ERROR.refusedStream);
    }
    this.#refuseWaiting();
    if (code === ERROR.none) this.#endIfDone();
    else this.destroy();
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
    throw new ConnectionError(ERROR.enhanceYourCalm, 'more pings or settings than answers are read');
  }
}

function settingsAck(): Buffer {
  return wordFrame(FRAME.settings, FLAG.ack, 0);
}

function broken(message: string): ConnectionError {
  return new ConnectionError(ERROR.protocol, message);
}

function assertLength(payload: Buffer, length: number): void {
  if (payload.length === length) return;
  throw new ConnectionError(ERROR.frameSize, `a frame of ${payload.length} bytes, not ${length}`);
}

function assertOfSession(stream: number): void {
  if (stream !== 0) throw broken('a frame of the connection that names a stream');
}
