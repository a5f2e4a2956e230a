/** A queue; `push` and `shift` take constant time. */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #start = 0;

  get first(): T | undefined {
    return this.#items[this.#start];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#start];
    if (item === undefined) return undefined;
    this.#items[this.#start++] = undefined;
    if (this.#start > 1024 && this.#start * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#start);
      this.#start = 0;
    }
    return item;
  }

  /** Inserts an item before the first one for which `comesAfter` is true. */
  putBack(item: T, comesAfter: (other: T) => boolean): void {
    let at = this.#start;
    while (at < this.#items.length && !comesAfter(this.#items[at]!)) at++;
    this.#items.splice(at, 0, item);
  }
}
