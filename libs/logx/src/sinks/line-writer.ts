import type { Clock, Deadline } from '@apix/contracts';
import type { LogEvent } from '../event/log-event.js';
import { Level } from '../levels/level.js';
import { BackgroundWrite } from './background-write.js';
import { DueWrite } from './due-write.js';
import { type DropCounter, droppedLines, lostAtClose } from './drop-counter.js';
import { exit, flushAtExit } from './exit-flush.js';
import { idleClock } from './idle-clock.js';
import { MAX_BLOCK_MS, MAX_EXIT_WAIT_MS, MAX_WAITING_BYTES } from './limits.js';
import type { Outlet } from './outlet.js';
import { passesBounds } from './passes-bounds.js';
import { patiently } from './patiently.js';
import { PendingFlushes } from './pending-flushes.js';
import type { Sink, SinkContext } from './sink.js';
import {
  CHUNK_BYTES,
  type LineSegment,
  MAX_BYTES_PER_CHAR,
  prepareOutlet,
  remainderOf,
  WaitingLines,
} from './waiting-lines.js';
import { withinDeadline } from './within-deadline.js';
import { WriteTrouble } from './write-trouble.js';

export interface LineWriterOptions {
  readonly onError: (error: Error) => void;
  readonly onDropped?: SinkContext['onDropped'];
  /** Maximum number of waiting lines; more are dropped and counted, and nothing ever blocks. */
  readonly maxLines?: number | undefined;
  /** Milliseconds for which lines are gathered. Default: 0, until the end of the turn. */
  readonly gatherMs?: number | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * Gathers lines in a preallocated buffer and writes them at the end of the turn of the event loop, or after
 * `gatherMs`, or as soon as 64 KiB are gathered; with `maxLines`, on another thread if the outlet supports
 * it.
 *
 * While the outlet fails, whole lines wait in memory, up to 8 MiB, and writing is retried; no line is split
 * by this. `flush` and `close` wait for that, but not for an outlet that is gone. At the bound, an outlet
 * that is only slow blocks the caller for at most a second; after that, and immediately if it fails
 * otherwise, lines are dropped and counted.
 */
export class LineWriter implements Sink {
  readonly #outlet: Outlet;
  readonly #maxLines: number;
  readonly #background: BackgroundWrite | undefined;
  readonly #drops: DropCounter;
  readonly #trouble: WriteTrouble;
  readonly #leaveExit: () => void;
  readonly #due: DueWrite;
  readonly #waiting = new WaitingLines();
  #flushes: PendingFlushes | undefined;
  #spare: Buffer | undefined;
  #mayBlockCaller = true;
  #mayBlockExit = true;
  #closed = false;

  constructor(outlet: Outlet, options: LineWriterOptions) {
    const { onError, maxLines, gatherMs = 0, clock } = options;
    this.#outlet = outlet;
    this.#maxLines = maxLines ?? Infinity;
    if (maxLines !== undefined && outlet.writeInBackground) {
      this.#background = new BackgroundWrite(outlet, (segment, error) =>
        this.#land(segment, error),
      );
    }
    this.#drops = droppedLines(outlet.name, options, clock ?? idleClock);
    this.#trouble = new WriteTrouble(outlet.name, onError, clock, () => this.#drainNow());
    this.#due = new DueWrite(gatherMs, clock ?? idleClock, () => this.#drainUnlessBusy());
    this.#leaveExit = flushAtExit(this);
  }

  /** Lines dropped so far. */
  get dropped(): number {
    return this.#drops.total;
  }

  write(line: string, event?: LogEvent): void {
    const { chunk } = this.#waiting;
    if (chunk.end + line.length * MAX_BYTES_PER_CHAR > CHUNK_BYTES || this.#isFull()) {
      this.#writeWhereRoom(line, event);
    } else {
      this.#join(chunk.bytes.write(line, chunk.end), event);
    }
  }

  writeBytes(bytes: Buffer, length: number, event?: LogEvent): void {
    const { chunk } = this.#waiting;
    if (chunk.end + length > CHUNK_BYTES || this.#isFull()) {
      this.#writeWhereRoom(bytes.toString('utf8', 0, length), event);
    } else {
      bytes.copy(chunk.bytes, chunk.end, 0, length);
      this.#join(length, event);
    }
  }

  flushSync(): void {
    this.#settleBackground();
    this.#drain();
    if (this.#mayBlockExit) {
      this.#mayBlockExit = this.#drainPatiently(MAX_EXIT_WAIT_MS, Infinity, 0);
    }
    if (this.#isEmpty()) this.#drops.noteNow();
    if (exit.hasBegun) this.#giveUp();
    this.#drops.report();
  }

  async flush(deadline?: Deadline): Promise<void> {
    this.#drainUnlessBusy();
    if (this.#isEmpty() || this.#trouble.isFinal) return;
    await (this.#flushes ??= new PendingFlushes()).wait(deadline);
  }

  /** @throws Error with the number of lines that it loses, and why they were not written. */
  async close(deadline?: Deadline): Promise<void> {
    if (this.#closed) return;
    await this.flush(deadline);
    if (this.#isEmpty()) this.#drops.noteNow();
    this.#closed = true;
    this.#due.cancel();
    this.#leaveExit();
    this.#settleBackground();
    this.#drain();
    const { cause } = this.#trouble;
    this.#trouble.end();
    const lost = this.#giveUp();
    this.#drops.report();
    await withinDeadline(this.#outlet.close(), deadline);
    if (lost > 0) throw lostAtClose(this.#outlet.name, lost, cause);
  }

  /** Discards lines that could not be written, counts them and returns their number. */
  #giveUp(): number {
    const lost = this.#waiting.clear();
    this.#drops.add(lost);
    return lost;
  }

  #isFull(): boolean {
    return this.#waiting.lines >= this.#maxLines || this.#closed;
  }

  #isEmpty(): boolean {
    return this.#background?.isUnderWay !== true && this.#waiting.lines === 0;
  }

  /** The slow path of `write`: the chunk may be full, the line large, or too many lines may wait. */
  #writeWhereRoom(line: string, event: LogEvent | undefined): void {
    const passes = passesBounds(event);
    const size = Buffer.byteLength(line);
    if (this.#isFull()) this.#drainUnlessBusy();
    if (this.#closed || (this.#isFull() && !passes) || !this.#makeRoom(size, passes)) {
      this.#drops.add(1);
    } else if (size <= CHUNK_BYTES) {
      const { chunk } = this.#waiting;
      this.#join(chunk.bytes.write(line, chunk.end), event);
    } else {
      const startsFile = this.#outlet.startsFile?.(size) ?? false;
      this.#waiting.add({ bytes: Buffer.from(line), start: 0, end: size, lines: 1, startsFile });
      this.#drainUnlessBusy();
    }
  }

  /** Makes sure that the chunk has room for `size` bytes or is empty; returns false at the bound. */
  #makeRoom(size: number, passes: boolean): boolean {
    if (this.#waiting.chunk.end + size <= CHUNK_BYTES) return true;
    this.#drainUnlessBusy();
    const limit = Math.max(0, MAX_WAITING_BYTES - size);
    if (this.#waiting.bytes > limit && !passes) {
      if (this.#maxLines !== Infinity || !this.#mayBlockCaller) return false;
      this.#mayBlockCaller = this.#drainPatiently(MAX_BLOCK_MS, MAX_BLOCK_MS, limit);
      if (this.#waiting.bytes > limit) return false;
    }
    this.#waiting.setChunkAside();
    return true;
  }

  /** Adds the line that was just encoded after the end of the chunk. */
  #join(bytes: number, event: LogEvent | undefined): void {
    if (this.#outlet.startsFile?.(bytes) === true) this.#breakBefore(bytes);
    const { chunk } = this.#waiting;
    chunk.end += bytes;
    chunk.lines++;
    if (exit.hasBegun) this.flushSync();
    else this.#due.request(event !== undefined && event.level >= Level.Error);
  }

  /** Ends the part for the present file, and starts the next one with the encoded line. */
  #breakBefore(bytes: number): void {
    const { bytes: buffer, end } = this.#waiting.chunk;
    if (!this.#background) this.#drainUnlessBusy();
    this.#waiting.setChunkAside();
    buffer.copyWithin(0, end, end + bytes);
    this.#waiting.chunk.startsFile = true;
  }

  #drainUnlessBusy(): void {
    if (this.#background?.isUnderWay !== true && this.#trouble.kind === undefined) this.#drainNow();
  }

  #drainNow(): void {
    if (this.#background) this.#drainInBackground();
    else this.#drain();
  }

  #drain(): void {
    try {
      for (let { next } = this.#waiting; next.lines > 0; { next } = this.#waiting) {
        this.#writeOut(next);
        this.#waiting.shift();
      }
      this.#onEmpty();
    } catch (error) {
      this.#failed(error);
    }
  }

  #writeOut(segment: LineSegment): void {
    while (segment.start < segment.end) {
      prepareOutlet(this.#outlet, segment);
      const { bytes, start, end } = segment;
      segment.start += this.#outlet.write(bytes, start, end - start);
      if (this.#trouble.kind !== undefined) this.#trouble.progress();
    }
  }

  #failed(error: unknown): void {
    this.#trouble.failed(error, this.#outlet.isGone?.(error) ?? false);
    if (this.#trouble.isFinal) this.#flushes?.end();
  }

  #onEmpty(): void {
    if (this.#trouble.kind !== undefined) this.#trouble.end();
    this.#mayBlockCaller = true;
    this.#mayBlockExit = true;
    this.#flushes?.end();
    if (this.#drops.unnoted > 0) this.#drops.goOn();
  }

  /** Hands the oldest lines to the other thread; when they are written, the next follow. */
  #drainInBackground(): void {
    const { next } = this.#waiting;
    if (next.lines === 0) return this.#onEmpty();
    try {
      prepareOutlet(this.#outlet, next);
    } catch (error) {
      return this.#failed(error);
    }
    if (next === this.#waiting.chunk) {
      this.#waiting.renewChunk(this.#spare);
      this.#spare = undefined;
    } else {
      this.#waiting.shift();
    }
    this.#background!.start(next);
  }

  #land(segment: LineSegment, error: Error | null): void {
    if (error !== null) {
      this.#waiting.addFirst(remainderOf(segment));
      return this.#failed(error);
    }
    this.#trouble.progress();
    if (segment.bytes.length === CHUNK_BYTES) this.#spare = segment.bytes;
    this.#drainInBackground();
  }

  #settleBackground(): void {
    const segment = this.#background?.settle();
    if (segment !== undefined && segment.start < segment.end) {
      this.#waiting.addFirst(remainderOf(segment));
    }
  }

  /**
   * Writes synchronously until at most `limit` bytes wait, pausing for an outlet that is slow; returns
   * false if it accepted no bytes for `quietMs`, or too few in `totalMs`.
   */
  #drainPatiently(quietMs: number, totalMs: number, limit: number): boolean {
    return patiently(
      { quietMs, totalMs },
      () => this.#trouble.kind === 'slow' && this.#waiting.bytes > limit,
      () => {
        const { next } = this.#waiting;
        const { start } = next;
        this.#drain();
        return next.start > start;
      },
    );
  }
}
