/** First in, first out, in constant time. */
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

  /** Puts an item before the first one that comes after it. */
  putBack(item: T, comesAfter: (other: T) => boolean): void {
    let at = this.#start;
    while (at < this.#items.length && !comesAfter(this.#items[at]!)) at++;
    this.#items.splice(at, 0, item);
  }
}
