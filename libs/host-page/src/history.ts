import type { Numbered } from './page-view.js';

/** The last entries, up to a fixed number; older ones are dropped. */
export class History<T extends object> {
  readonly #items: Numbered<T>[] = [];
  #lastId = 0;

  constructor(private readonly capacity: number) {}

  /** The number of the latest entry; 0 while there is none. */
  get lastId(): number {
    return this.#lastId;
  }

  add(item: T): void {
    this.#lastId += 1;
    this.#items.push({ ...item, id: this.#lastId });
    if (this.#items.length > this.capacity) this.#items.shift();
  }

  /** The entries after the one with this number that are still kept. */
  since(id: number): readonly Numbered<T>[] {
    return this.#items.filter((item) => item.id > id);
  }
}
