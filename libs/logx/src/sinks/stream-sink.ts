import { type Clock, type Deadline, thrownText } from '@apix/contracts';
import { FLAG, objectWith, type OptionTable, TEXT } from '@apix/contracts/internal';
import type { LogEvent } from '../event/log-event.js';
import { BoundedQueue } from './bounded-queue.js';
import { type DropCounter, droppedLines, lostAtClose } from './drop-counter.js';
import { exit, flushAtExit } from './exit-flush.js';
import { idleClock } from './idle-clock.js';
import { MAX_WAITING_BYTES } from './limits.js';
import { withinDeadline } from './within-deadline.js';
import { passesBounds } from './passes-bounds.js';
import {
  flushed,
  flushesAtOnce,
  type PinoStream,
  takesPinoLevel,
  setPinoLevel,
} from './pino-stream.js';
import type { Sink, SinkContext, SinkSpec } from './sink.js';
import {
  maxLinesOf,
  readSinkOptions,
  SINK_OPTIONS,
  type SinkOptions,
  specOf,
} from './sink-options.js';

export interface StreamSinkOptions extends SinkOptions {
  /** Names the sink in errors. Default: `'stream'`. */
  readonly kind?: string | undefined;
  /** Whether closing the logger ends the stream. Default: false; the stream is only flushed. */
  readonly end?: boolean | undefined;
}

const STREAM_SINK_OPTIONS = {
  ...SINK_OPTIONS,
  kind: TEXT,
  end: FLAG,
} satisfies OptionTable<StreamSinkOptions>;

const STREAM = objectWith<PinoStream>('a stream with write(line)', 'write');

/**
 * Writes lines to any writable stream, pino destination, multistream or transport.
 *
 * While the stream asks to wait (`write` returned false), lines wait in memory until its `drain`, at most 8
 * MiB; more are dropped and counted. A Node stream cannot be flushed when the process exits immediately; a
 * pino destination or transport can.
 *
 * @throws OptionsError with every wrong option.
 */
export function streamSink(stream: PinoStream, options: StreamSinkOptions = {}): SinkSpec {
  const read = readSinkOptions('stream', STREAM_SINK_OPTIONS, options, (mistakes) => {
    STREAM.read(stream, 'stream', mistakes);
  });
  const { kind = 'stream', end = false } = read;
  const maxLines = maxLinesOf(read) ?? Infinity;
  const open = (context: SinkContext): Sink => new StreamSink(stream, kind, end, maxLines, context);
  return specOf(kind, read, open, stream as { readonly isTTY?: unknown });
}

class StreamSink implements Sink {
  /** Absent for a stream that writes asynchronously, so that code that exits waits for it. */
  readonly flushSync?: () => void;
  readonly #queue: BoundedQueue<string>;
  readonly #drops: DropCounter;
  readonly #leaveExit: () => void;
  readonly #setsLevel: boolean;
  readonly #whenDrained = new Set<() => void>();
  #waiting = false;
  #closed = false;

  constructor(
    private readonly stream: PinoStream,
    private readonly kind: string,
    private readonly end: boolean,
    maxLines: number,
    private readonly context: SinkContext,
    clock: Clock = idleClock,
  ) {
    this.#queue = new BoundedQueue(maxLines, MAX_WAITING_BYTES);
    this.#drops = droppedLines(kind, context, clock);
    this.#setsLevel = takesPinoLevel(stream);
    this.#leaveExit = flushAtExit({ flushSync: () => this.#flushNow() });
    if (flushesAtOnce(stream)) this.flushSync = () => this.#flushNow();
    stream.on?.('error', this.#onError);
    stream.on?.('drain', this.#onDrain);
    stream.on?.('close', this.#onClose);
  }

  write(line: string, event: LogEvent): void {
    if (this.#closed || this.stream.destroyed === true) return this.#drops.add(1);
    if (this.#waiting) {
      if (this.#queue.push(line, line.length)) return;
      if (passesBounds(event)) this.#queue.add(line, line.length);
      else this.#drops.add(1);
      return;
    }
    if (this.#setsLevel) setPinoLevel(this.stream, event);
    this.#pass(line);
    if (exit.hasBegun) this.#flushNow();
  }

  #flushNow(): void {
    this.#passWhile(() => true);
    this.#drops.noteNow();
    this.#drops.report();
    try {
      this.stream.flushSync?.();
    } catch (error) {
      this.#onError(error);
    }
  }

  async flush(deadline?: Deadline): Promise<void> {
    await withinDeadline(this.#flushed(), deadline);
  }

  async close(deadline?: Deadline): Promise<void> {
    if (this.#closed) return;
    await this.flush(deadline);
    if (!this.#waiting) this.#drops.noteNow();
    this.#closed = true;
    this.#leaveExit();
    const lost = this.#queue.clear();
    this.#drops.add(lost);
    this.#drops.report();
    this.stream.removeListener?.('drain', this.#onDrain);
    this.stream.removeListener?.('close', this.#onClose);
    if (this.end) this.stream.end?.();
    else this.stream.removeListener?.('error', this.#onError);
    if (lost > 0) throw lostAtClose(this.kind, lost);
  }

  #pass(line: string): void {
    this.#waiting = this.stream.write(line) === false && this.stream.on !== undefined;
  }

  #passWhile(allowed: () => boolean): void {
    while (allowed()) {
      const line = this.#queue.shift();
      if (line === undefined) return this.#drops.goOn();
      this.#pass(line);
    }
  }

  async #flushed(): Promise<void> {
    const { stream } = this;
    while (this.#waiting && stream.destroyed !== true) {
      await new Promise<void>((resolve) => this.#whenDrained.add(resolve));
    }
    await flushed(stream);
  }

  readonly #onDrain = (): void => {
    this.#waiting = false;
    this.#passWhile(() => !this.#waiting);
    this.#release();
  };

  readonly #onClose = (): void => {
    this.#drops.add(this.#queue.clear());
    this.#drops.report();
    this.#release();
  };

  #release(): void {
    for (const resolve of this.#whenDrained) resolve();
    this.#whenDrained.clear();
  }

  readonly #onError = (cause: unknown): void => {
    this.context.onError(new Error(`logx: ${this.kind} failed: ${thrownText(cause)}`, { cause }));
  };
}
