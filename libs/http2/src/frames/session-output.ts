import type { Socket } from 'node:net';

/** What is written at once, about. */
const BATCH_BYTES = 128 * 1024;

/** Answers to pings and settings that nobody has read, as nghttp2 bears them. */
const MAX_REPLIES = 1_000;

/** Frames that wait for a full socket; beyond that, nothing more of the other end should be read. */
const MAX_BACKLOG_BYTES = 256 * 1024;

/** What may follow what is to be sent at once: the data of streams. */
export interface DataSource {
  /** Adds data, as long as there is room. */
  fill(output: SessionOutput): void;
  /** All that was added is on its way, and more may be. */
  onWritten(output: SessionOutput): void;
}

/**
 * Gathers the frames of one turn of the event loop, so that those of many calls go to the socket at once, and waits
 * where the socket is full.
 */
export class SessionOutput {
  readonly #socket: Socket;
  readonly #source: DataSource;
  #parts: Buffer[] = [];
  #bytes = 0;
  #replies = 0;
  #isScheduled = false;
  #isStopped = false;

  constructor(socket: Socket, source: DataSource) {
    this.#socket = socket;
    this.#source = source;
    socket.on('drain', () => this.#flush());
  }

  get hasRoom(): boolean {
    return this.#bytes < BATCH_BYTES;
  }

  /** Whether the other end asks for more than it reads. */
  get isBacklogged(): boolean {
    return this.#bytes > MAX_BACKLOG_BYTES && this.#socket.writableNeedDrain;
  }

  /** Sends a frame with this turn. */
  add(frame: Buffer): void {
    this.#parts.push(frame);
    this.#bytes += frame.length;
    this.wake();
  }

  /**
   * Sends a frame that the other end has asked for.
   *
   * @returns false where it asks for more than it reads.
   */
  reply(frame: Buffer): boolean {
    if (this.#replies >= MAX_REPLIES) return false;
    this.#replies += 1;
    this.add(frame);
    return true;
  }

  /** Schedules sending, because there is something to send. */
  wake(): void {
    if (this.#isScheduled || this.#isStopped) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#flush();
    });
  }

  /**
   * Sends what was added, unless the socket is full, and ends the connection.
   *
   * @param lingerMs what still comes is read so long, and dropped: a connection that is closed before is reset, and
   *   the last frames may be lost with it. Default: 0.
   */
  end(lingerMs = 0): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    if (!this.#socket.writable || this.#socket.writableNeedDrain) this.#socket.destroy();
    else {
      this.#write();
      if (lingerMs > 0) this.#linger(lingerMs);
      else this.#socket.destroySoon();
    }
  }

  /** Stops sending. */
  stop(): void {
    this.#isStopped = true;
    this.#parts = [];
  }

  #linger(ms: number): void {
    const socket = this.#socket;
    const timer = setTimeout(() => socket.destroy(), ms).unref();
    socket.once('close', () => clearTimeout(timer));
    socket.once('end', () => socket.destroySoon());
    socket.end();
    socket.resume();
  }

  #flush(): void {
    if (this.#isStopped || !this.#socket.writable || this.#socket.writableNeedDrain) return;
    this.#source.fill(this);
    if (this.#write()) this.#source.onWritten(this);
  }

  /** @returns whether the socket takes more. */
  #write(): boolean {
    const [first, ...others] = this.#parts;
    if (first === undefined) return true;
    const bytes = others.length === 0 ? first : Buffer.concat(this.#parts, this.#bytes);
    this.#parts = [];
    this.#bytes = 0;
    this.#replies = 0;
    return this.#socket.write(bytes);
  }
}
