import { Duplex } from 'node:stream';
import { ACK, FRAME, type Frame, FrameReader, frame } from '../../tools/testing/http2-frames.js';

/** What no frame of a sequence has. */
const OURS = Buffer.from('bed:ping');
/** Turns of the event loop that an answer to a ping may take; where it takes longer, a frame is incomplete. */
const PATIENCE = 40;

/**
 * One end of a connection without a network: a server has it as its socket, and this end writes and reads bytes. It
 * looks like a `net.Socket` as far as servers of HTTP/2 look.
 */
export class Wire extends Duplex {
  /** What the server has sent, without answers to the pings of {@link settle}. */
  readonly frames: Frame[] = [];
  /** Pings are not answered: what was sent ends within a frame. */
  isMute = false;
  readonly #reader = new FrameReader();
  #answered = 0;
  #isClosed = false;

  constructor() {
    super();
    this.on('error', () => {});
    this.once('close', () => (this.#isClosed = true));
  }

  /** The server has ended it, or said that it ends it. */
  get isOver(): boolean {
    return (
      this.#isClosed ||
      this.writableEnded ||
      this.frames.some(({ type, payload }) => type === FRAME.goaway && payload.readUInt32BE(4) > 0)
    );
  }

  setNoDelay(): this {
    return this;
  }

  destroySoon(): void {
    this.end(() => this.destroy());
  }

  /**
   * Resolves once all is done that does not wait for the client: so many pings in turn are answered, and nothing else comes.
   *
   * @param rounds more of them for a server that takes its time.
   */
  async settle(rounds: number): Promise<void> {
    for (let quiet = 0; quiet < rounds && !this.isOver; quiet += 1) {
      const { length } = this.frames;
      const answered = this.#answered;
      this.push(frame(FRAME.ping, 0, 0, OURS));
      for (let turn = 0; answered === this.#answered && !this.isOver; turn += 1) {
        if (turn === PATIENCE * rounds) {
          this.isMute = true;
          return;
        }
        await new Promise(setImmediate);
      }
      if (this.frames.length > length) quiet = -1;
    }
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    for (const each of this.#reader.read(bytes)) {
      const { type, flags, payload } = each;
      if (type === FRAME.ping && (flags & ACK) !== 0 && payload.equals(OURS)) this.#answered += 1;
      // The reader's bytes are those of the stream.
      else this.frames.push({ ...each, payload: Buffer.from(payload) });
    }
    done();
  }

  override _final(done: () => void): void {
    done();
  }
}
