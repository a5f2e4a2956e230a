import type { Clock } from '@apix/contracts';

/** In milliseconds. */
const WINDOW_MS = 1_000;

/** How many of each kind may be looked at in a second, so that a flood does not cost the app more. */
export class SecondBudget<Kind extends string> {
  #left: Record<Kind, number>;
  #windowAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    private readonly amounts: Readonly<Record<Kind, number>>,
  ) {
    this.#left = { ...amounts };
  }

  /** Takes one; false if there is none left in this second. */
  take(kind: Kind): boolean {
    const now = this.clock.now();
    // Also if the wall clock was set back.
    if (Math.abs(now - this.#windowAt) >= WINDOW_MS) {
      this.#windowAt = now;
      this.#left = { ...this.amounts };
    }
    if (this.#left[kind] === 0) return false;
    this.#left[kind] -= 1;
    return true;
  }
}
