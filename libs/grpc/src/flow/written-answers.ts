import type { UnsentLimits } from './unsent-answers.js';

/** A call with a message that was written to its connection, and that its caller may not have taken. */
export interface WrittenCall {
  /** The bytes that HTTP/2 has not sent yet. */
  readonly unsentBytes: number;
  /** Calls back when the call is over. */
  onClose(run: () => void): void;
  /** Ends the call and drops what was written. */
  overflow(limitBytes: number): void;
}

/** Messages of less are not counted: a call itself takes up as much. */
export const COUNTED_BYTES = 4 * 1024;

/** How long a message may wait before it makes room for others, in milliseconds. */
const PATIENCE_MS = 5_000;

/** How often, while there is too much, calls are checked for having waited that long. */
const LOOK_EVERY_MS = 500;

/**
 * The messages that were written to all connections of a server but not sent, because a caller leaves
 * HTTP/2 no window: the answers of unary calls, and of each stream the one being sent. Beyond the limit,
 * calls whose message has waited for 5 s are ended, first the one with most.
 */
// Why: docs/decisions/0181
export class WrittenAnswers {
  readonly #limit: number;
  readonly #since = new Map<WrittenCall, number>();
  /** An upper bound of what waits; what was sent meanwhile is subtracted when it matters. */
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ total }: Pick<UnsentLimits, 'total'>) {
    this.#limit = total;
  }

  /** Call when a message was written, of {@link COUNTED_BYTES} or more. */
  note(call: WrittenCall): void {
    if (!this.#since.has(call)) call.onClose(() => this.#since.delete(call));
    this.#since.set(call, performance.now());
    this.#bytes += call.unsentBytes;
    if (this.#bytes > this.#limit && this.#timer === undefined) this.#look();
  }

  readonly #look = (): void => {
    this.#timer = undefined;
    this.#bytes = 0;
    for (const call of this.#since.keys()) this.#bytes += call.unsentBytes;
    if (this.#bytes <= this.#limit) return;
    for (const call of this.#overdue()) {
      if (this.#bytes <= this.#limit) return;
      this.#bytes -= call.unsentBytes;
      call.overflow(this.#limit);
    }
    if (this.#bytes > this.#limit) this.#timer = setTimeout(this.#look, LOOK_EVERY_MS).unref();
  };

  /** Those that have waited for long, the one with most first. */
  #overdue(): WrittenCall[] {
    const before = performance.now() - PATIENCE_MS;
    return [...this.#since]
      .filter(([, since]) => since <= before)
      .map(([call]) => call)
      .toSorted((one, other) => other.unsentBytes - one.unsentBytes);
  }
}
