import { setImmediate } from 'node:timers';
import type { Clock } from '@apix/contracts';

/**
 * When waiting lines are written: at the end of the turn of the event loop, or this many milliseconds after
 * the first of them.
 */
// Why: docs/decisions/0045
export class DueWrite {
  #isDue = false;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly gatherMs: number,
    private readonly clock: Clock,
    private readonly write: () => void,
  ) {}

  /**
   * Requests the write, now that a line waits.
   *
   * @param isUrgent at the end of the turn, even if lines are gathered.
   */
  request(isUrgent: boolean): void {
    if (this.#isDue) return;
    if (this.gatherMs === 0 || isUrgent) {
      this.#isDue = true;
      setImmediate(this.#onDue);
    } else {
      this.#cancel ??= this.clock.after(this.gatherMs, this.#onDue);
    }
  }

  /** Cancels the requested write. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  readonly #onDue = (): void => {
    this.cancel();
    this.#isDue = false;
    this.write();
  };
}
