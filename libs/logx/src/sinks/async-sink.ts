import { setImmediate } from 'node:timers';
import { type Clock, type Deadline, thrownText } from '@apix/contracts';
import type { LogEvent } from '../event/log-event.js';
import { BoundedQueue } from './bounded-queue.js';
import { type DropCounter, droppedLines, lostAtClose } from './drop-counter.js';
import { exit, flushAtExit } from './exit-flush.js';
import { idleClock } from './idle-clock.js';
import { MAX_WAITING_BYTES } from './limits.js';
import { passesBounds } from './passes-bounds.js';
import type { Sink, SinkContext } from './sink.js';

/** How many events are handed over before the event loop runs other work. */
const SLICE = 256;

interface QueuedLine {
  readonly line: string;
  readonly event: LogEvent;
}

export interface AsyncSinkOptions {
  readonly name: string;
  readonly maxLines: number;
  readonly onError: (error: Error) => void;
  readonly onDropped?: SinkContext['onDropped'];
  /** Of its notices. Default: the machine's. */
  readonly clock?: Clock | undefined;
}

/** A sink in front of another one: events wait here, up to a bound, and are handed over in later turns. */
export class AsyncSink implements Sink {
  /** Absent if the inner sink has `emit`, which is then present here. */
  readonly write?: (line: string, event: LogEvent) => void;
  readonly emit?: (event: LogEvent) => void;
  /** Absent if the inner sink cannot flush synchronously, so that code that exits waits for it. */
  readonly flushSync?: () => void;
  readonly #queue: BoundedQueue<QueuedLine>;
  readonly #drops: DropCounter;
  readonly #leaveExit: () => void;
  #scheduled = false;
  #closed = false;

  constructor(
    private readonly inner: Sink,
    private readonly options: AsyncSinkOptions,
  ) {
    const { name, maxLines, clock = idleClock } = options;
    this.#queue = new BoundedQueue(maxLines, MAX_WAITING_BYTES);
    this.#drops = droppedLines(name, options, clock);
    this.#leaveExit = flushAtExit({ flushSync: () => this.#flushNow() });
    if (inner.flushSync || !inner.flush) this.flushSync = () => this.#flushNow();
    if (inner.emit) this.emit = (event) => this.#enqueue({ line: '', event });
    else this.write = (line, event) => this.#enqueue({ line, event });
  }

  get dropped(): number {
    return this.#drops.total;
  }

  async flush(deadline?: Deadline): Promise<void> {
    while (this.#queue.length > 0 && deadline?.signal.aborted !== true) {
      this.#handOver(SLICE);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.inner.flush?.(deadline);
  }

  async close(deadline?: Deadline): Promise<void> {
    if (this.#closed) return;
    await this.flush(deadline);
    if (this.#queue.length === 0) {
      this.#drops.noteNow();
      this.#handOver(1);
    }
    this.#closed = true;
    this.#leaveExit();
    const lost = this.#queue.clear();
    this.#drops.add(lost);
    this.#drops.report();
    await this.inner.close?.(deadline);
    if (lost > 0) throw lostAtClose(this.options.name, lost);
  }

  #enqueue(entry: QueuedLine): void {
    if (this.#closed || !this.#enter(entry)) {
      this.#drops.add(1);
    } else if (exit.hasBegun) {
      this.#flushNow();
    } else if (!this.#scheduled) {
      this.#scheduled = true;
      setImmediate(this.#onTurn);
    }
  }

  #enter(entry: QueuedLine): boolean {
    const bytes = entry.line.length;
    if (this.#queue.push(entry, bytes)) return true;
    if (!passesBounds(entry.event)) return false;
    this.#queue.add(entry, bytes);
    return true;
  }

  #flushNow(): void {
    this.#handOver(Infinity);
    this.#drops.noteNow();
    this.#handOver(Infinity);
    this.#drops.report();
    this.#guarded(() => this.inner.flushSync?.());
  }

  readonly #onTurn = (): void => {
    this.#handOver(SLICE);
    this.#scheduled = this.#queue.length > 0;
    if (this.#scheduled) setImmediate(this.#onTurn);
  };

  #handOver(count: number): void {
    for (let left = count; left > 0; left--) {
      const entry = this.#queue.shift();
      if (entry === undefined) return this.#drops.goOn();
      this.#guarded(() => {
        if (this.inner.emit) this.inner.emit(entry.event);
        else this.inner.write?.(entry.line, entry.event);
      });
    }
  }

  #guarded(act: () => void): void {
    try {
      act();
    } catch (cause) {
      const { name, onError } = this.options;
      onError(new Error(`logx: ${name} failed: ${thrownText(cause)}`, { cause }));
    }
  }
}
