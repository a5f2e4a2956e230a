import type { StatusError } from '@apix/contracts';
import { roughSize } from './rough-size.js';
import type { UnsentAnswers, UnreadCall } from './unsent-answers.js';

/** Answers of one call that may wait before its producer and its requests are held back. */
const HELD_FROM_BYTES = 64 * 1024;

type Done = (error?: Error | null) => void;

/** As much of a call that is answered with a stream as is needed to watch it. */
export interface AnsweredCall {
  cancelled: boolean;
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  write(message: unknown, ...rest: unknown[]): boolean;
  _write(message: unknown, encoding: string, done: Done): void;
  /** Of calls with a stream of requests. */
  _read?(size: number): void;
  once(event: 'close' | 'drain', listener: () => void): unknown;
  emit(event: 'cancelled' | 'drain', reason?: string): boolean;
  removeAllListeners(event: 'cancelled'): unknown;
  destroy(error: Error): unknown;
}

const FLOW = Symbol('apix.grpc.AnswerFlow');

/**
 * Bounds the answers of a call that wait for its caller. While more than 64 KiB or sixteen of them wait,
 * `write()` returns false and no further request is read; a producer that continues regardless is ended
 * with RESOURCE_EXHAUSTED by {@link UnsentAnswers}.
 *
 * It replaces methods of this one call, and lasts as long as the call.
 */
export function boundAnswers(call: AnsweredCall, answers: UnsentAnswers): void {
  (call as { [FLOW]?: AnswerFlow })[FLOW] = new AnswerFlow(call, answers);
}

/** Whether a producer should wait for `drain` before it writes to this call again. */
export function isHeldBack(call: object): boolean {
  return (call as { readonly [FLOW]?: AnswerFlow })[FLOW]?.isHeldBack === true;
}

class AnswerFlow implements UnreadCall {
  unsentBytes = 0;
  readonly #call: AnsweredCall;
  readonly #answers: UnsentAnswers;
  /** Of the messages that wait, in their order. */
  readonly #sizes: number[] = [];
  /** The stream itself has room, and so will not say when there is more. */
  #owesDrain = false;
  #isOver = false;

  constructor(call: AnsweredCall, answers: UnsentAnswers) {
    this.#call = call;
    this.#answers = answers;
    const write = call.write.bind(call);
    const send = call._write.bind(call);
    const read = call._read?.bind(call);
    call.write = (message, ...rest) => {
      if (this.#isOver) return false;
      this.#enter(call.writableLength === 0 ? 0 : roughSize(message));
      // Answers beyond a limit have been dropped.
      if (this.#isOver) return false;
      const hasRoom = write(message, ...rest);
      if (!hasRoom || this.unsentBytes < HELD_FROM_BYTES) return hasRoom;
      this.#owesDrain = true;
      return false;
    };
    call._write = (message, encoding, done) => {
      this.#leave();
      send(message, encoding, done);
    };
    call.once('close', () => this.#forget());
    if (read === undefined) return;
    call._read = (size) => {
      // Why: docs/decisions/0186
      if (this.isHeldBack) call.once('drain', () => read(size));
      else read(size);
    };
  }

  get isHeldBack(): boolean {
    return this.#owesDrain || this.#call.writableNeedDrain;
  }

  overflow(error: StatusError): void {
    const call = this.#call;
    if (this.#isOver) return;
    this.#isOver = true;
    this.#forget();
    call.destroy(error);
    // grpc-js says so only once the status has left, for which the caller would have to read.
    call.cancelled = true;
    process.nextTick(() => {
      call.emit('cancelled', 'cancelled');
      call.removeAllListeners('cancelled');
    });
  }

  #enter(size: number): void {
    this.#sizes.push(size);
    if (size === 0) return;
    this.unsentBytes += size;
    this.#answers.add(this, size);
  }

  #leave(): void {
    const size = this.#sizes.shift() ?? 0;
    if (size === 0) return;
    this.unsentBytes -= size;
    this.#answers.remove(this, size);
    if (this.#owesDrain && this.unsentBytes === 0) this.#drain();
  }

  #drain(): void {
    this.#owesDrain = false;
    // The stream says it where it was full itself.
    if (!this.#call.writableNeedDrain) process.nextTick(() => this.#call.emit('drain'));
  }

  #forget(): void {
    const bytes = this.unsentBytes;
    this.unsentBytes = 0;
    this.#sizes.length = 0;
    this.#answers.remove(this, bytes);
  }
}
