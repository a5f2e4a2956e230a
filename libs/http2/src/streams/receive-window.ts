import { DEFAULT_WINDOW_BYTES } from '../frames/frames.js';

/** What the other end may send on one stream: given back by half of the window, while the data is read. */
export class ReceiveWindow {
  readonly #windowBytes: number;
  readonly #giveBack: (bytes: number) => void;
  /** Bytes that came and were not given back. */
  #keptBytes = 0;
  #isPaused = false;
  #isClosed = false;

  constructor(windowBytes: number, giveBack: (bytes: number) => void) {
    this.#windowBytes = windowBytes;
    this.#giveBack = giveBack;
  }

  /** @returns false where it is exceeded; until its settings are known it is the default of HTTP/2. */
  receive(bytes: number): boolean {
    this.#keptBytes += bytes;
    return this.#keptBytes <= Math.max(this.#windowBytes, DEFAULT_WINDOW_BYTES);
  }

  /** The other end may send no more than its window. */
  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    this.settle();
  }

  /** What came is read, unless it is paused. */
  settle(): void {
    if (this.#isPaused || this.#isClosed || this.#keptBytes * 2 < this.#windowBytes) return;
    const bytes = this.#keptBytes;
    this.#keptBytes = 0;
    if (bytes > 0) this.#giveBack(bytes);
  }

  /** Nothing more comes. */
  close(): void {
    this.#isClosed = true;
  }
}
