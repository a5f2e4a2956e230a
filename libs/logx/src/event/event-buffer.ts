import type { Event } from './event.js';
import { retainedBytes } from './retained-bytes.js';

/** How much of a piece of work is kept. */
export interface BufferBounds {
  readonly events: number;
  readonly bytes: number;
}

/** Writes events that were kept. */
export interface KeptEventWriter {
  dispatch(event: Event): void;
  /** Reports that events of the work were dropped: the earliest, and those that are too large. */
  reportDropped(count: number, bounds: BufferBounds): void;
}

interface Kept {
  readonly event: Event;
  readonly writer: KeptEventWriter;
  readonly bytes: number;
}

/** The last events of a piece of work that are below the level, until it is known how the work ends. */
// Why: docs/decisions/0422
export class EventBuffer {
  #kept: Kept[] = [];
  #bytes = 0;
  #dropped = 0;
  /** Of the last event. */
  #writer: KeptEventWriter | undefined;

  constructor(private readonly bounds: BufferBounds) {}

  add(event: Event, writer: KeptEventWriter): void {
    const bytes = retainedBytes(event);
    this.#writer = writer;
    // It must not take the place of all others.
    if (bytes > this.bounds.bytes) {
      this.#dropped++;
      return;
    }
    this.#kept.push({ event, writer, bytes });
    this.#bytes += bytes;
    while (this.#kept.length > this.bounds.events || this.#bytes > this.bounds.bytes) {
      this.#bytes -= this.#kept.shift()!.bytes;
      this.#dropped++;
    }
  }

  /** Writes them in their order; later ones are kept again. */
  flush(): void {
    const kept = this.#kept;
    const dropped = this.#dropped;
    this.#kept = [];
    this.#bytes = this.#dropped = 0;
    if (dropped > 0) this.#writer?.reportDropped(dropped, this.bounds);
    for (const { event, writer } of kept) writer.dispatch(event);
  }
}
