import { setImmediate } from 'node:timers';
import type { Clock } from '@apix/contracts';

/**
 * When lines that wait are written: at the end of the turn of the event loop, or so many milliseconds after the
 * first of them.
 */
// Why: docs/decisions/0312
export class DueWrite {
  #isDue = false;
  #cancel: (() => void) | undefined;

  constructor(
    private readonly gatherMs: number,
    private readonly clock: Clock,
    private readonly write: () => void,
  ) {}

  /** Asks for it, now that a line waits. @param isUrgent for the end of the turn, whatever is gathered. */
  ask(isUrgent: boolean): void {
    if (this.#isDue) return;
    if (this.gatherMs === 0 || isUrgent) {
      this.#isDue = true;
      setImmediate(this.#onDue);
    } else {
      this.#cancel ??= this.clock.after(this.gatherMs, this.#onDue);
    }
  }

  /** Gives up what was asked for. */
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
