import { assertWindow, broken } from '../frames/frame-checks.js';
import {
  DEFAULT_WINDOW_BYTES,
  HTTP2_ERROR,
  MAX_PAYLOAD_BYTES,
  MAX_WINDOW_BYTES,
} from '../frames/frames.js';
import type { DataSource, SessionOutput } from '../frames/session-output.js';
import type { SendQueue } from './send-queue.js';

/** Sends what the streams of a connection have, a frame of each in turn, within their windows and its own. */
export class SendSchedule implements DataSource {
  readonly #onSent: (bytes: number, isCut: boolean) => void;
  /** Those with something to send. */
  readonly #ready = new Set<SendQueue>();
  /** To be called once the data that was added is on its way. */
  #taken: (() => void)[] = [];
  #window = DEFAULT_WINDOW_BYTES;
  /** Not all of them have had their turn. */
  #isCutShort = false;

  /** @param onSent called for each frame with data; `isCut`: by a window, where there was more. */
  constructor(onSent: (bytes: number, isCut: boolean) => void = () => {}) {
    this.#onSent = onSent;
  }

  wake(queue: SendQueue, output: SessionOutput): void {
    if (!queue.canSend) return;
    this.#ready.add(queue);
    output.wake();
  }

  remove(queue: SendQueue): void {
    this.#ready.delete(queue);
  }

  clear(): void {
    this.#ready.clear();
  }

  /**
   * The window of the connection grows.
   *
   * @throws ConnectionError
   */
  grow(bytes: number, output: SessionOutput): void {
    if (bytes === 0) throw broken('a window that does not grow');
    this.#window += bytes;
    assertWindow(this.#window);
    if (this.#ready.size > 0) output.wake();
  }

  fill(output: SessionOutput): void {
    for (const queue of this.#ready) {
      if (!output.hasRoom) {
        this.#isCutShort = true;
        return;
      }
      // It stays where it is; those behind it may have an end to send.
      if (this.#window <= 0 && queue.hasPending) continue;
      this.#ready.delete(queue);
      const bytes = queue.sendFrame(output, this.#window, this.#taken);
      this.#window -= bytes;
      if (bytes > 0) this.#onSent(bytes, queue.hasPending && bytes < MAX_PAYLOAD_BYTES);
      if (queue.canSend) this.#ready.add(queue);
    }
  }

  onWritten(output: SessionOutput): void {
    const taken = this.#taken;
    this.#taken = [];
    for (const run of taken) run();
    const goesOn = this.#window > 0 || this.#isCutShort;
    this.#isCutShort = false;
    if (this.#ready.size > 0 && goesOn) output.wake();
  }
}

/**
 * The window of a stream grows.
 *
 * @returns the code of the reset that the other end deserves for it.
 */
export function growWindow(queue: SendQueue, bytes: number): number | undefined {
  queue.window += bytes;
  if (bytes === 0) return HTTP2_ERROR.protocol;
  return queue.window > MAX_WINDOW_BYTES ? HTTP2_ERROR.flowControl : undefined;
}
