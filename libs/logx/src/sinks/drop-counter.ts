import { type Clock, thrownText } from '@apix/contracts';
import type { SinkContext } from './sink.js';

/** Milliseconds between two notices of dropped lines. */
export const DROP_NOTICE_INTERVAL_MS = 5_000;

/** Counts drops, and gives a notice once per interval, and another one when nothing waits any more. */
export class DropCounter {
  /** Drops since the last note. */
  unnoted = 0;
  #total = 0;
  #said = 0;
  #notedAt = -Infinity;
  #isNoting = false;
  #cancel: (() => void) | undefined;

  constructor(
    /** Called with the number of drops since the last notice, and the total. */
    private readonly notice: (dropped: number, total: number) => void,
    private readonly clock: Clock,
    /** Called with the number of drops since the last note. Default: there are no notes. */
    private readonly note?: (dropped: number) => void,
  ) {}

  /** The number of drops so far. */
  get total(): number {
    return this.#total;
  }

  add(dropped: number): void {
    if (dropped === 0) return;
    this.#total += dropped;
    this.unnoted += dropped;
    this.#cancel ??= this.clock.after(DROP_NOTICE_INTERVAL_MS, () => this.report());
  }

  /**
   * Gives the note if there were drops since the last: nothing waits any more, so that there is room for it. It
   * comes after what is under way, at most once per interval.
   */
  goOn(): void {
    if (this.note === undefined || this.unnoted === 0 || this.#isNoting) return;
    if (this.clock.now() - this.#notedAt < DROP_NOTICE_INTERVAL_MS) return;
    this.#isNoting = true;
    queueMicrotask(() => {
      this.#isNoting = false;
      this.noteNow();
    });
  }

  /** The same at once, before the end. */
  noteNow(): void {
    const dropped = this.unnoted;
    if (dropped === 0) return;
    this.unnoted = 0;
    this.#notedAt = this.clock.now();
    this.note?.(dropped);
  }

  /** Gives the notice now, if there were drops since the last. */
  report(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const dropped = this.#total - this.#said;
    if (dropped === 0) return;
    this.#said = this.#total;
    this.notice(dropped, this.#total);
  }
}

/** A counter of the lines that a sink could not write, or not fast enough. */
export function droppedLines(
  sinkName: string,
  { onError, onDropped }: Pick<SinkContext, 'onError' | 'onDropped'>,
  clock: Clock,
): DropCounter {
  const notice = (lines: number, total: number): void => {
    onError(
      new Error(
        `logx: ${sinkName} dropped ${linesText(lines)} (${total} in total): ` +
          'it cannot write, or not as fast as the application logs',
      ),
    );
  };
  return new DropCounter(notice, clock, onDropped && ((lines) => onDropped(sinkName, lines)));
}

/** The error that `close` rejects with when it loses lines. */
export function lostAtClose(sinkName: string, lines: number, cause?: unknown): Error {
  const reason = cause === undefined ? '' : `: ${thrownText(cause)}`;
  return new Error(
    `logx: ${sinkName} lost ${linesText(lines)} that it could not write before it was closed${reason}`,
    { cause },
  );
}

function linesText(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}
