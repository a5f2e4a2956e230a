import { type Deadline, deadlineAfter } from '@apix/contracts';
import { DEFAULT_FLUSH_MS } from './limits.js';
import { withinDeadline } from './within-deadline.js';

/** Callers that wait until a writer has written everything, or cannot write. */
export class PendingFlushes {
  readonly #done = new Set<() => void>();

  /** @param deadline Default: {@link DEFAULT_FLUSH_MS} from now. */
  async wait(deadline?: Deadline): Promise<void> {
    const own = deadline === undefined ? deadlineAfter(DEFAULT_FLUSH_MS) : undefined;
    const done = new Promise<void>((resolve) => this.#done.add(resolve));
    await withinDeadline(done, deadline ?? own);
    own?.dispose();
  }

  end(): void {
    for (const done of this.#done) done();
    this.#done.clear();
  }
}
