import { type Clock, thrownText } from '@apix/contracts';

/** Milliseconds between two notices of dropped lines. */
export const DROP_NOTICE_INTERVAL_MS = 5_000;

/** Counts drops, and gives a notice once per interval. */
export class DropCounter {
  #total = 0;
  #said = 0;
  #cancel: (() => void) | undefined;

  constructor(
    /** Called with the number of drops since the last notice, and the total. */
    private readonly notice: (dropped: number, total: number) => void,
    private readonly clock: Clock,
  ) {}

  /** The number of drops so far. */
  get total(): number {
    return this.#total;
  }

  add(dropped: number): void {
    if (dropped === 0) return;
    this.#total += dropped;
    this.#cancel ??= this.clock.after(DROP_NOTICE_INTERVAL_MS, () => this.say());
  }

  /** Gives the notice now, if there were drops since the last. */
  say(): void {
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
  onError: (error: Error) => void,
  clock: Clock,
): DropCounter {
  return new DropCounter((lines, total) => {
    onError(
      new Error(
        `logx: ${sinkName} dropped ${linesText(lines)} (${total} in total): ` +
          'it cannot write, or not as fast as the application logs',
      ),
    );
  }, clock);
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
