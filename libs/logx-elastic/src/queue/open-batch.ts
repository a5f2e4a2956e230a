import { actionLine, type Batch, batchOf } from '../bulk/batch.js';
import type { Settings } from '../config/resolve-config.js';

/** Lines that wait for others to be sent with. */
export class OpenBatch {
  readonly #action: string;
  #lines: string[] = [];
  #units = 0;
  #since = 0;

  constructor(
    private readonly settings: Pick<Settings, 'action' | 'batchSize' | 'batchBytes' | 'clock'>,
  ) {
    this.#action = actionLine(settings.action);
  }

  get count(): number {
    return this.#lines.length;
  }

  /** UTF-16 units of its lines. */
  get units(): number {
    return this.#units;
  }

  /** When its first line came; meaningless for an empty one. */
  get since(): number {
    return this.#since;
  }

  get isFull(): boolean {
    const { batchSize, batchBytes } = this.settings;
    const { length } = this.#lines;
    return length >= batchSize || this.#bytes(length) >= batchBytes;
  }

  /** Whether the line would make it larger than a request should be. */
  isTooSmallFor(line: string): boolean {
    const { length } = this.#lines;
    return length > 0 && this.#bytes(length + 1) + line.length > this.settings.batchBytes;
  }

  /** The line ends in a line break. */
  add(line: string): void {
    if (this.#lines.length === 0) this.#since = this.settings.clock.now();
    this.#lines.push(line);
    this.#units += line.length;
  }

  /** Hands out what has come together, and begins anew. */
  take(): Batch {
    const batch = batchOf(this.#lines, this.#action);
    this.#lines = [];
    this.#units = 0;
    return batch;
  }

  /** As near as it can be known before the lines are encoded. */
  #bytes(lines: number): number {
    return this.#units + lines * this.#action.length;
  }
}
