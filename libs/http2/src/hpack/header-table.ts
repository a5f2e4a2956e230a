import { CompressionError } from './compression-error.js';
import { STATIC_HEADERS, type TableEntry } from './static-headers.js';

/** The table of headers that both ends of a connection keep (RFC 7541, 2.3). */
export class HeaderTable {
  /** The oldest first. */
  readonly #entries: TableEntry[] = [];
  readonly #onEvicted: (entry: TableEntry) => void;
  #size = 0;
  #maxSize: number;

  constructor(maxSize: number, onEvicted: (entry: TableEntry) => void = () => {}) {
    this.#maxSize = maxSize;
    this.#onEvicted = onEvicted;
  }

  get maxSize(): number {
    return this.#maxSize;
  }

  /** An entry larger than the table leaves it empty (RFC 7541, 4.4). */
  add(entry: TableEntry): void {
    this.#evict(this.#maxSize - entry.size);
    if (entry.size > this.#maxSize) return;
    this.#entries.push(entry);
    this.#size += entry.size;
  }

  resize(maxSize: number): void {
    this.#maxSize = maxSize;
    this.#evict(maxSize);
  }

  /** @throws CompressionError for an index without an entry. */
  at(index: number): TableEntry {
    const entry =
      index <= STATIC_HEADERS.length
        ? STATIC_HEADERS[index - 1]
        : this.#entries[this.#entries.length - (index - STATIC_HEADERS.length)];
    if (entry === undefined) throw new CompressionError(`no header has the index ${index}`);
    return entry;
  }

  #evict(room: number): void {
    while (this.#size > room) {
      const oldest = this.#entries.shift();
      if (oldest === undefined) return;
      this.#size -= oldest.size;
      this.#onEvicted(oldest);
    }
  }
}
