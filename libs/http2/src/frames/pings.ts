import { FLAG, FRAME, HEAD_BYTES, writeHead } from './frames.js';

const PING_BYTES = 8;

/** The pings of a connection that wait for their answers. */
export class Pings {
  /** In the order in which they were sent, by their content. */
  readonly #open = new Map<number, (error: Error | null) => void>();
  #sent = 0;

  static answerTo(payload: Buffer): Buffer {
    return pingFrame(FLAG.ack, payload);
  }

  next(done: (error: Error | null) => void): Buffer {
    this.#sent += 1;
    this.#open.set(this.#sent, done);
    const payload = Buffer.alloc(PING_BYTES);
    payload.writeUInt32BE(this.#sent, 4);
    return pingFrame(0, payload);
  }

  /** @returns false for an answer without a matching ping. */
  answer(payload: Buffer): boolean {
    const number = payload.readUInt32BE(0) === 0 ? payload.readUInt32BE(4) : 0;
    const done = this.#open.get(number);
    if (done === undefined) return false;
    this.#open.delete(number);
    done(null);
    return true;
  }

  /** No further answers will arrive. */
  fail(): void {
    for (const done of this.#open.values()) done(new Error('the connection is closed'));
    this.#open.clear();
  }
}

function pingFrame(flags: number, payload: Buffer): Buffer {
  const head = writeHead(Buffer.alloc(HEAD_BYTES), PING_BYTES, FRAME.ping, flags, 0);
  return Buffer.concat([head, payload]);
}
