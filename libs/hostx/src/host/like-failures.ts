import { thrownText } from '@apix/contracts';

/** After this many failures of a kind the stack is logged again. */
const EVERY = 10;

/** Sees whether a service fails as it did the last time. */
export class LikeFailures {
  readonly #last = new Map<string, { readonly text: string; count: number }>();

  /**
   * Whether this failure is worth a stack: the first of its kind in a row, and each tenth.
   *
   * @param attempt since the last stable run; after one, what fails is new again.
   */
  isNews(service: string, attempt: number, error: unknown): boolean {
    const text = thrownText(error);
    const last = this.#last.get(service);
    if (last === undefined || last.text !== text || attempt <= 1) {
      this.#last.set(service, { text, count: 1 });
      return true;
    }
    last.count += 1;
    return last.count % EVERY === 0;
  }
}
