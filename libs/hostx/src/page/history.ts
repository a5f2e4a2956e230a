/** Something that is kept for a while, numbered from 1 in the order in which it came. */
export type Numbered<T> = T & { readonly id: number };

/** The last so many things; older ones are forgotten. */
export class History<T extends object> {
  readonly #items: Numbered<T>[] = [];
  #lastId = 0;

  constructor(private readonly capacity: number) {}

  /** The number of the latest; 0 while there is none. */
  get lastId(): number {
    return this.#lastId;
  }

  add(item: T): void {
    this.#lastId += 1;
    this.#items.push({ ...item, id: this.#lastId });
    if (this.#items.length > this.capacity) this.#items.shift();
  }

  /** What came after the one with this number, and is still kept. */
  since(id: number): readonly Numbered<T>[] {
    return this.#items.filter((item) => item.id > id);
  }
}
