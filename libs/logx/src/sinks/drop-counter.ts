import type { Clock } from '@apix/contracts';

/** Milliseconds between two notices of dropped lines. */
export const DROP_NOTICE_INTERVAL_MS = 5_000;

/** Counts the lines that a full buffer refused, and says so once per interval. */
export class DropCounter {
  #total = 0;
  #said = 0;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly sinkName: string,
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock,
  ) {}

  /** Lines dropped since the sink was opened. */
  get total(): number {
    return this.#total;
  }

  add(lines: number): void {
    if (lines === 0) return;
    this.#total += lines;
    this.#cancel ??= this.clock.after(DROP_NOTICE_INTERVAL_MS, () => this.say());
  }

  /** Gives the notice now, if there is anything to say. */
  say(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    const lines = this.#total - this.#said;
    if (lines === 0) return;
    this.#said = this.#total;
    this.onError(
      new Error(
        `logx: ${this.sinkName} dropped ${lines} ${lines === 1 ? 'line' : 'lines'} ` +
          `(${this.#total} in all): it takes none, or too few`,
      ),
    );
  }
}
