import type { Numbered } from './section-views.js';

/** The last entries, up to a fixed number; older ones are dropped. */
export class History<T extends object> {
  readonly #items: Numbered<T>[] = [];
  #lastId = 0;

  constructor(private readonly capacity: number) {}

  /** The number of the latest entry; 0 while there is none. */
  get lastId(): number {
    return this.#lastId;
  }

  /** Undefined while there is none. */
  get oldest(): Numbered<T> | undefined {
    return this.#items[0];
  }

  /** Returns the entry as it is kept. */
  add(item: T): Numbered<T> {
    this.#lastId += 1;
    const entry = { ...item, id: this.#lastId };
    this.#items.push(entry);
    if (this.#items.length > this.capacity) this.#items.shift();
    return entry;
  }

  /** The entries after the one with this number that are still kept. */
  since(id: number): readonly Numbered<T>[] {
    return this.#items.filter((item) => item.id > id);
  }
}
