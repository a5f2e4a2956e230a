import { ACK, END_HEADERS, END_STREAM, FRAME } from '../../tools/testing/http2-frames.js';
import type { Random } from '../random.js';
import { RandomEncoder } from './random-encoder.js';
import { changed, randomRequest, randomTrailers } from './random-requests.js';

export const PADDED = 8;
export const HAS_PRIORITY = 32;
export const PRIORITY = 2;
export const PUSH_PROMISE = 5;

/** A frame to be sent. */
export interface SentFrame {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** What a request still has to send. */
interface Open {
  readonly stream: number;
  body: number;
  readonly hasTrailers: boolean;
}

/** A client that says what clients say, in an order that chance decides. */
export class Conversation {
  readonly frames: SentFrame[] = [];
  readonly #random: Random;
  readonly #encoder: RandomEncoder;
  readonly #open: Open[] = [];
  #next = 1;

  constructor(random: Random) {
    this.#random = random;
    this.#encoder = new RandomEncoder(random);
    this.#add(FRAME.settings, 0, 0, this.#settings());
    if (random.below(4) > 0) this.#add(FRAME.settings, ACK, 0);
  }

  moves(count: number): void {
    for (let n = 0; n < count; n += 1) this.#move();
  }

  /** @returns the frames since the last time. */
  take(): SentFrame[] {
    return this.frames.splice(0);
  }

  #move(): void {
    const random = this.#random;
    const open = this.#open.length > 0 ? random.below(this.#open.length) : undefined;
    const kind = random.below(20);
    if (open !== undefined && kind < 9) this.#continue(open);
    else if (kind < 14) this.#begin();
    else this.#control();
  }

  #begin(): void {
    const random = this.#random;
    let { headers } = randomRequest(random);
    if (random.below(8) === 0) headers = changed(headers, random);
    const stream = this.#next;
    this.#next += random.below(10) === 0 ? 4 : 2;
    const isWhole = random.below(2) === 0;
    this.#headers(stream, this.#encoder.encode(headers), isWhole);
    if (isWhole) return;
    const body = random.pick([0, 0, 5, 5, 5, 300, 3_000]);
    this.#open.push({ stream, body, hasTrailers: random.below(3) === 0 });
  }

  #continue(at: number): void {
    const random = this.#random;
    const open = this.#open[at]!;
    const length = Math.min(open.body, random.pick([5, 100, 3_000]));
    open.body -= length;
    const isLast = open.body === 0 && random.below(3) > 0;
    if (isLast) this.#open.splice(at, 1);
    if (isLast && open.hasTrailers) {
      if (length > 0) this.#data(open.stream, length, 0);
      const isEnd = random.below(20) > 0;
      this.#headers(open.stream, this.#encoder.encode(randomTrailers(random)), isEnd);
    } else this.#data(open.stream, length, isLast ? END_STREAM : 0);
  }

  #data(stream: number, length: number, flags: number): void {
    const data = Buffer.alloc(length, 'd');
    if (this.#random.below(5) > 0) this.#add(FRAME.data, flags, stream, data);
    else this.#add(FRAME.data, flags | PADDED, stream, this.#padded(data));
  }

  #headers(stream: number, block: Buffer, isEnd: boolean): void {
    const random = this.#random;
    const parts = this.#split(block);
    const end = isEnd ? END_STREAM : 0;
    for (const [at, part] of parts.entries()) {
      const isLast = at === parts.length - 1 ? END_HEADERS : 0;
      if (at > 0) this.#add(FRAME.continuation, isLast, stream, part);
      else {
        const priority = random.below(6) === 0 ? [0, 0, 0, random.pick([0, 0, 0, stream]), 9] : [];
        const content = Buffer.concat([Buffer.from(priority), part]);
        const isPadded = random.below(6) === 0 && content.length < 16_000;
        const flags =
          isLast | end | (priority.length > 0 ? HAS_PRIORITY : 0) | (isPadded ? PADDED : 0);
        this.#add(FRAME.headers, flags, stream, isPadded ? this.#padded(content) : content);
      }
    }
  }

  /** Into HEADERS and CONTINUATIONs, which may be empty. */
  #split(block: Buffer): Buffer[] {
    const random = this.#random;
    const most =
      block.length > 16_000 || random.below(4) === 0 ? random.pick([16_000, 40, 7, 0]) : 16_000;
    const parts: Buffer[] = [];
    let at = 0;
    while (at < block.length && parts.length < 9) {
      const size = parts.length === 8 || most === 0 ? random.below(block.length - at + 1) : most;
      parts.push(block.subarray(at, at + Math.min(size, 16_000)));
      at += Math.min(size, 16_000);
    }
    if (at < block.length) parts.push(block.subarray(at, at + 16_000));
    return parts.length > 0 ? parts : [block];
  }

  #padded(content: Buffer): Buffer {
    const padding = this.#random.pick([0, 1, 9, 255]);
    return Buffer.concat([Buffer.of(padding), content, Buffer.alloc(padding)]);
  }

  #control(): void {
    const random = this.#random;
    const stream = this.#anyStream();
    switch (random.below(9)) {
      case 0:
        return this.#add(FRAME.ping, random.pick([0, 0, ACK]), 0, random.bytes(8));
      case 1:
        return this.#add(FRAME.settings, 0, 0, this.#settings());
      case 2:
        return this.#add(
          FRAME.windowUpdate,
          0,
          0,
          this.#word(random.pick([1, 70_000, 70_000, 200_000])),
        );
      case 3:
        return this.#add(
          FRAME.windowUpdate,
          0,
          stream,
          this.#word(random.pick([1, 50_000, 200_000])),
        );
      case 4:
        return this.#add(PRIORITY, 0, stream, Buffer.from([0, 0, 0, random.pick([0, 1, 9]), 3]));
      case 5:
        return this.#add(
          random.pick([10, 12, 16, 99, 255]),
          random.below(256),
          random.pick([0, stream]),
          random.bytes(random.below(9)),
        );
      case 6:
        return this.#add(FRAME.rstStream, 0, stream, this.#word(random.pick([0, 2, 8, 99])));
      case 7:
        return this.#add(FRAME.windowUpdate, 0, stream, this.#word(50_000));
      default:
        if (random.below(5) > 0) return;
        return this.#add(
          FRAME.goaway,
          0,
          0,
          Buffer.concat([
            this.#word(0),
            this.#word(random.pick([0, 0, 2])),
            random.bytes(random.below(5)),
          ]),
        );
    }
  }

  /** Mostly one that has begun. */
  #anyStream(): number {
    const begun = Math.max(1, this.#next - 2);
    return this.#random.below(15) === 0
      ? this.#random.below(20)
      : 1 + 2 * this.#random.below((begun + 1) / 2);
  }

  #settings(): Buffer {
    const random = this.#random;
    const all: readonly (readonly [number, number])[] = [
      [1, random.pick([0, 100, 4_096, 65_536])],
      [2, random.below(2)],
      [3, random.pick([0, 1, 100])],
      [4, random.pick([0, 1_000, 65_535, 200_000, 2 ** 31 - 1])],
      [5, random.pick([16_384, 20_000, 2 ** 24 - 1])],
      [6, random.pick([0, 100, 65_535])],
      [99, random.below(9)],
    ];
    const some = all.filter(() => random.below(5) === 0);
    return Buffer.concat(
      some.map(([id, value]) => Buffer.concat([Buffer.of(id >> 8, id), this.#word(value)])),
    );
  }

  #word(value: number): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  }

  #add(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): void {
    this.frames.push({ type, flags, stream, payload });
  }
}
