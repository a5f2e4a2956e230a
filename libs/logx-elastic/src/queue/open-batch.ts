import { actionLine, type Batch } from '../bulk/batch.js';
import type { Settings } from '../config/resolve-config.js';

const INITIAL_BYTES = 64 * 1024;
/** A larger buffer, which a huge event needed, is not kept. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** Collects lines in the body of the next request. */
export class OpenBatch {
  readonly #action: Buffer;
  #body = Buffer.allocUnsafeSlow(INITIAL_BYTES);
  #length = 0;
  #count = 0;
  #since = 0;

  constructor(
    private readonly settings: Pick<Settings, 'action' | 'batchSize' | 'batchBytes' | 'clock'>,
  ) {
    this.#action = Buffer.from(actionLine(settings.action));
  }

  get count(): number {
    return this.#count;
  }

  /** When the first line was added; has no meaning for an empty batch. */
  get since(): number {
    return this.#since;
  }

  get isFull(): boolean {
    return this.#count >= this.settings.batchSize || this.#length >= this.settings.batchBytes;
  }

  /** Whether the batch would exceed the maximum size of a request with a line of that many bytes. */
  isTooSmallFor(bytes: number): boolean {
    const length = this.#length + this.#action.length + bytes;
    return this.#count > 0 && length > this.settings.batchBytes;
  }

  /** Adds a line, which must end in a line break; returns by how many bytes the body has grown. */
  add(line: string): number {
    const before = this.#begin(3 * line.length);
    this.#length += this.#body.write(line, this.#length);
    return this.#length - before;
  }

  /** Adds a line that is already encoded; returns by how many bytes the body has grown. */
  addBytes(line: Buffer, length: number): number {
    const before = this.#begin(length);
    this.#length += line.copy(this.#body, this.#length, 0, length);
    return this.#length - before;
  }

  /** Returns the collected events, and starts an empty batch. */
  take(): Batch {
    const batch = { body: Buffer.from(this.#body.subarray(0, this.#length)), count: this.#count };
    this.#length = 0;
    this.#count = 0;
    if (this.#body.length > MAX_KEPT_BYTES) this.#body = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return batch;
  }

  /** Writes the action line of an event and makes room for the event; returns the length before that. */
  #begin(bytes: number): number {
    if (this.#count++ === 0) this.#since = this.settings.clock.now();
    const before = this.#length;
    const needed = before + this.#action.length + bytes;
    if (needed > this.#body.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#body.length));
      this.#body.copy(larger, 0, 0, before);
      this.#body = larger;
    }
    this.#length += this.#action.copy(this.#body, before);
    return before;
  }
}
