import type { EventEmitter } from 'node:events';

/** A stream that a built-in service holds open for a caller. */
interface Stream extends EventEmitter {
  end(): void;
}

/** Streams that have no end of their own, and would hold up a drain. */
export class OpenStreams {
  readonly #streams = new Set<Stream>();
  #isEnding = false;

  /** Keeps a stream until it is over; ends it at once when the server is stopping. */
  add(stream: Stream): void {
    if (this.#isEnding) return stream.end();
    this.#streams.add(stream);
    const forget = (): boolean => this.#streams.delete(stream);
    stream.once('cancelled', forget).once('finish', forget).once('close', forget);
  }

  /** Ends all of them with OK, and those that come later. Clients then ask again elsewhere. */
  endAll(): void {
    this.#isEnding = true;
    for (const stream of this.#streams) stream.end();
  }
}
