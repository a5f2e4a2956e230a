import { CompressionError } from './compression-error.js';
import { HeaderTable } from './header-table.js';
import { huffmanText } from './huffman.js';
import { type TableEntry, tableEntry } from './static-headers.js';

/** SETTINGS_HEADER_TABLE_SIZE until it is changed (RFC 9113, 6.5.2). */
export const DEFAULT_TABLE_BYTES = 4_096;

/** Longer numbers are invalid here: no block is that long. */
const MAX_SHIFT = 28;

/** Sizes of the table at the start of a block: the least and the last since the one before (RFC 7541, 4.2). */
const MAX_RESIZES = 2;

/** Decodes the header blocks of one connection, in their order (RFC 7541). */
export class HeaderDecoder {
  readonly #table = new HeaderTable(DEFAULT_TABLE_BYTES);
  #block: Buffer = Buffer.alloc(0);
  #at = 0;

  /**
   * Hands over the headers of a block, each with its size.
   *
   * @throws CompressionError
   */
  decode(block: Buffer, take: (header: TableEntry) => void): void {
    this.#block = block;
    this.#at = 0;
    let resizes = 0;
    while (this.#at < block.length) {
      const first = block[this.#at]!;
      if ((first & 0xe0) === 0x20) {
        if (resizes === MAX_RESIZES) throw new CompressionError('a size of the table too many');
        resizes += 1;
        this.#resize();
        continue;
      }
      resizes = MAX_RESIZES;
      take(this.#header(first));
    }
  }

  #resize(): void {
    const size = this.#number(5);
    if (size > DEFAULT_TABLE_BYTES) throw new CompressionError(`a table of ${size} bytes`);
    this.#table.resize(size);
  }

  #header(first: number): TableEntry {
    if ((first & 0x80) !== 0) return this.#table.at(this.#number(7));
    const isKept = (first & 0x40) !== 0;
    const index = this.#number(isKept ? 6 : 4);
    const name = index === 0 ? this.#text() : this.#table.at(index).name;
    const header = tableEntry(name, this.#text());
    if (isKept) this.#table.add(header);
    return header;
  }

  /** RFC 7541, 5.1. */
  #number(prefixBits: number): number {
    const max = (1 << prefixBits) - 1;
    let value = this.#next() & max;
    if (value < max) return value;
    for (let shift = 0; shift <= MAX_SHIFT; shift += 7) {
      const byte = this.#next();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new CompressionError('a number of too many bytes');
  }

  #text(): string {
    const isHuffman = ((this.#block[this.#at] ?? 0) & 0x80) !== 0;
    const length = this.#number(7);
    const from = this.#at;
    const end = from + length;
    if (end > this.#block.length) throw new CompressionError('a text that ends after its block');
    this.#at = end;
    if (isHuffman) return huffmanText(this.#block, from, end);
    return this.#block.toString('latin1', from, end);
  }

  #next(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw new CompressionError('a number that ends after its block');
    this.#at += 1;
    return byte;
  }
}
