import { actionLine, type Batch } from '../bulk/batch.js';
import type { Settings } from '../config/resolve-config.js';

const INITIAL_BYTES = 64 * 1024;
/** A buffer that one huge event has made larger is not kept. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024;

/** The body of the next request, while lines come together in it. */
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

  /** When its first line came; meaningless for an empty one. */
  get since(): number {
    return this.#since;
  }

  get isFull(): boolean {
    return this.#count >= this.settings.batchSize || this.#length >= this.settings.batchBytes;
  }

  /** Whether a line of so many bytes would make it larger than a request should be. */
  isTooSmallFor(bytes: number): boolean {
    const length = this.#length + this.#action.length + bytes;
    return this.#count > 0 && length > this.settings.batchBytes;
  }

  /** Adds a line, which ends in a line break; returns by how many bytes the body has grown. */
  add(line: string): number {
    const before = this.#begin(3 * line.length);
    this.#length += this.#body.write(line, this.#length);
    return this.#length - before;
  }

  /** The same for a line that is bytes already. */
  addBytes(line: Buffer, length: number): number {
    const before = this.#begin(length);
    this.#length += line.copy(this.#body, this.#length, 0, length);
    return this.#length - before;
  }

  /** Returns the collected events, and begins again. */
  take(): Batch {
    const batch = { body: Buffer.from(this.#body.subarray(0, this.#length)), count: this.#count };
    this.#length = 0;
    this.#count = 0;
    if (this.#body.length > MAX_KEPT_BYTES) this.#body = Buffer.allocUnsafeSlow(INITIAL_BYTES);
    return batch;
  }

  /** Writes the action line of an event and makes room for its own; returns where it began. */
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
