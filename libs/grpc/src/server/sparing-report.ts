/** How long what happens after a report is only counted, in milliseconds. */
const PAUSE_MS = 10_000;

/**
 * Reports what clients can make happen any number of times: the first at once, and what follows once in 10 s, by its
 * number and the last of it.
 */
export class SparingReport {
  readonly #first: (what: string) => void;
  readonly #more: (count: number, last: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #last = '';

  constructor(first: (what: string) => void, more: (count: number, last: string) => void) {
    this.#first = first;
    this.#more = more;
  }

  note(what: string): void {
    if (this.#timer === undefined) {
      this.#pause();
      this.#first(what);
      return;
    }
    this.#count += 1;
    this.#last = what;
  }

  /** Reports what is left. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#reportMore();
  }

  #pause(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#count === 0) return;
      this.#pause();
      this.#reportMore();
    }, PAUSE_MS).unref();
  }

  #reportMore(): void {
    const count = this.#count;
    if (count === 0) return;
    this.#count = 0;
    this.#more(count, this.#last);
  }
}
