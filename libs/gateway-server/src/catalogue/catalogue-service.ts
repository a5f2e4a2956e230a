import { type Clock, type Duration, onAbort, parseDuration, systemClock } from '@apix/contracts';
import type { HostLogger, Service } from '@apix/hostx/core';
import type { Catalogue } from './catalogue.js';

/** Delays between attempts to read descriptors and rules, in milliseconds: doubled up to the second value. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** Keeps descriptors and rules up to date: retries until the first read succeeds, then reads at an interval. */
export class CatalogueService implements Service {
  readonly name = 'catalogue';
  readonly #catalogue: Catalogue;
  readonly #refreshMs: number;
  readonly #log: HostLogger;
  readonly #changed: () => void;
  readonly #clock: Clock;

  /**
   * @param refresh the interval at which they are read again; undefined for never.
   * @param changed called whenever a new generation is served.
   */
  constructor(
    catalogue: Catalogue,
    refresh: Duration | undefined,
    log: HostLogger,
    changed: () => void,
    clock: Clock = systemClock,
  ) {
    this.#catalogue = catalogue;
    this.#refreshMs = refresh === undefined ? Infinity : parseDuration(refresh);
    this.#log = log;
    this.#changed = changed;
    this.#clock = clock;
  }

  async start(signal: AbortSignal): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!signal.aborted) {
      if (this.#catalogue.current === undefined) {
        const hasRead = await this.#attempt();
        if (!hasRead) {
          await this.#wait(waitMs, signal);
          waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
          continue;
        }
      }
      await this.#wait(this.#refreshMs, signal);
      if (!signal.aborted) await this.#attempt();
    }
  }

  /** Reads them now. @throws the error of the read; the current generation stays in use. */
  async reload(): Promise<void> {
    if (await this.#catalogue.load()) this.#changed();
  }

  async #attempt(): Promise<boolean> {
    try {
      await this.reload();
      return true;
    } catch (error) {
      const isServing = this.#catalogue.current !== undefined;
      const what = isServing ? 'what was served before stays' : 'nothing is served yet';
      this.#log.error(error, 'descriptors and rules cannot be read; {What}', what);
      return isServing;
    }
  }

  #wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let forget = (): void => {};
      const over = (): void => {
        forget();
        resolve();
      };
      const cancel = ms === Infinity ? undefined : this.#clock.after(ms, over);
      forget = onAbort(signal, () => {
        cancel?.();
        resolve();
      });
    });
  }
}
