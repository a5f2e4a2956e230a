import { loaded } from './loaded.js';

/** Data of the page that stays the same while a process runs; the next one may have other. */
export class LoadedOnce<T> {
  #isLoading = false;
  #loadedFrom = 0;

  /**
   * @param absent the message if the page does not have it.
   * @param onLoaded called with the data, or with a message; after a message it is tried again.
   */
  constructor(
    private readonly url: URL,
    private readonly absent: string,
    private readonly onLoaded: (found: T | string) => void,
  ) {}

  /** Loads it unless it is there. @param startedAt when the process was started. */
  async from(startedAt: number): Promise<void> {
    if (this.#isLoading || this.#loadedFrom === startedAt) return;
    this.#isLoading = true;
    const found = await loaded<T>(this.url, this.absent);
    this.#isLoading = false;
    if (typeof found !== 'string') this.#loadedFrom = startedAt;
    this.onLoaded(found);
  }
}
