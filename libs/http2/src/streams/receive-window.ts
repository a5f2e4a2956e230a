import { DEFAULT_WINDOW_BYTES } from '../frames/frames.js';

/** What the other end is let send at once of what is expected. */
const MOST_EXPECTED = 2 ** 24;

/** What the other end may send on one stream: given back by half of the window, while the data is read. */
export class ReceiveWindow {
  readonly #windowBytes: number;
  readonly #giveBack: (bytes: number) => void;
  /** Bytes that came and were not given back; negative where more was expected than the window has. */
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

  /** So many more bytes are wanted: the other end may send them at once, without asking again by halves of the window. */
  expect(bytes: number): void {
    const allowed = this.#windowBytes - this.#keptBytes;
    const missing = Math.min(bytes, MOST_EXPECTED) - allowed;
    if (this.#isPaused || this.#isClosed || missing <= 0) return;
    this.#keptBytes -= missing;
    this.#giveBack(missing);
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
