/** First in, first out, bounded by number and by bytes. */
export class BoundedQueue<T> {
  #items: { readonly item: T; readonly bytes: number }[] = [];
  #next = 0;
  #bytes = 0;

  constructor(
    private readonly maxItems: number,
    private readonly maxBytes: number,
  ) {}

  get length(): number {
    return this.#items.length - this.#next;
  }

  get first(): T | undefined {
    return this.#items[this.#next]?.item;
  }

  /** Returns false if there is no room; an empty queue accepts a single item of any size. */
  push(item: T, bytes: number): boolean {
    const full = this.length >= this.maxItems || this.#bytes + bytes > this.maxBytes;
    if (full && this.length > 0) return false;
    this.add(item, bytes);
    return true;
  }

  /** Adds the item even if there is no room. */
  add(item: T, bytes: number): void {
    this.#items.push({ item, bytes });
    this.#bytes += bytes;
  }

  shift(): T | undefined {
    const entry = this.#items[this.#next];
    if (entry === undefined) return undefined;
    this.#next++;
    this.#bytes -= entry.bytes;
    if (this.#next > 1024 || this.length === 0) {
      this.#items = this.#items.slice(this.#next);
      this.#next = 0;
    }
    return entry.item;
  }

  /** Empties the queue and returns how many items it removed. */
  clear(): number {
    const lost = this.length;
    this.#items = [];
    this.#next = 0;
    this.#bytes = 0;
    return lost;
  }
}
