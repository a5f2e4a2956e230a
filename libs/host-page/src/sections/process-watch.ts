import type { ProcessRow } from '../section-views.js';

/** All processes of the app, as the parent has listed them last. */
export class ProcessWatch {
  #rows: readonly ProcessRow[] = [];
  /** How often each place was restarted, as far as that was noticed. */
  readonly #restarts = new Map<number, number>();

  /** @param onCrash called once for each restart of a process that ended by itself; of several between two looks, for the last. */
  constructor(
    private readonly ask: () => Promise<readonly ProcessRow[]>,
    private readonly onCrash: (row: ProcessRow) => void,
  ) {}

  /** None in an app of one process, and until the parent has answered. */
  get rows(): readonly ProcessRow[] {
    return this.#rows;
  }

  /** Never rejects. */
  readonly refresh = async (): Promise<void> => {
    try {
      this.#rows = await this.ask();
    } catch {
      // The parent has ended, and this process is about to.
      this.#rows = [];
    }
    for (const row of this.#rows) {
      if (row.restarts > (this.#restarts.get(row.index) ?? 0)) this.onCrash(row);
      this.#restarts.set(row.index, row.restarts);
    }
  };
}
