import { DEFAULT_TABLE_BYTES } from './header-decoder.js';
import { HeaderTable } from './header-table.js';
import { STATIC_HEADERS, type TableEntry, tableEntry } from './static-headers.js';

/** Never kept in the table, so that they cannot be guessed from the length of blocks (RFC 7541, 7.1). */
const SECRET: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Names whose last value is known. */
const MAX_NAMES = 256;

/** Longer values are not kept: few of them would fill the table. */
const MAX_KEPT_BYTES = 1_024;

const STATIC_NAMES = new Map(
  STATIC_HEADERS.map(({ name }, at) => [name, at + 1] as const).toReversed(),
);
const STATIC_PAIRS = new Map(
  STATIC_HEADERS.map(({ name, value }, at) => [pairOf(name, value), at + 1] as const),
);

function pairOf(name: string, value: string): string {
  return `${name}\n${value}`;
}

/**
 * Encodes the header blocks of one connection, in their order (RFC 7541). A header is kept in the table when its name
 * comes with the same value twice in a row, so that what differs from call to call takes no room there.
 */
export class HeaderEncoder {
  readonly #numbers = new Map<string, number>();
  readonly #table = new HeaderTable(DEFAULT_TABLE_BYTES, ({ name, value }: TableEntry) => {
    this.#numbers.delete(pairOf(name, value));
  });
  readonly #lastValues = new Map<string, string>();
  #added = 0;
  /** The least, and the last, size that the other end has asked for since the last block. */
  #sizes: { least: number; last: number } | undefined;
  #bytes = Buffer.allocUnsafeSlow(1_024);
  #at = 0;

  /** @param bytes what the other end has room for: SETTINGS_HEADER_TABLE_SIZE. */
  resize(bytes: number): void {
    const last = Math.min(bytes, DEFAULT_TABLE_BYTES);
    this.#sizes = { least: Math.min(last, this.#sizes?.least ?? last), last };
  }

  /**
   * @param headers names and values by turns.
   * @param room bytes that are left in front of the block.
   */
  encode(headers: readonly string[], room: number): Buffer {
    this.#at = room;
    this.#announceSizes();
    for (let at = 0; at < headers.length; at += 2) this.#write(headers[at]!, headers[at + 1]!);
    return Buffer.from(this.#bytes.subarray(0, this.#at));
  }

  #announceSizes(): void {
    const sizes = this.#sizes;
    if (sizes === undefined) return;
    this.#sizes = undefined;
    if (sizes.least === this.#table.maxSize && sizes.last === sizes.least) return;
    for (const size of new Set([sizes.least, sizes.last])) {
      this.#ensure(8);
      this.#table.resize(size);
      this.#number(0x20, 5, size);
    }
  }

  #write(name: string, value: string): void {
    this.#ensure(name.length + value.length + 16);
    const pair = pairOf(name, value);
    const index = STATIC_PAIRS.get(pair) ?? this.#indexOf(pair);
    if (index !== undefined) {
      this.#number(0x80, 7, index);
      return;
    }
    const isSecret = SECRET.has(name);
    const isKept = !isSecret && this.#isRepeated(name, value) && this.#keep(name, value, pair);
    const nameIndex = STATIC_NAMES.get(name) ?? 0;
    if (isKept) this.#number(0x40, 6, nameIndex);
    else this.#number(isSecret ? 0x10 : 0, 4, nameIndex);
    if (nameIndex === 0) this.#text(name);
    this.#text(value);
  }

  #indexOf(pair: string): number | undefined {
    const number = this.#numbers.get(pair);
    return number === undefined ? undefined : STATIC_HEADERS.length + this.#added - number;
  }

  #isRepeated(name: string, value: string): boolean {
    if (value.length > MAX_KEPT_BYTES) return false;
    if (this.#lastValues.get(name) === value) return true;
    if (this.#lastValues.size >= MAX_NAMES) this.#lastValues.clear();
    this.#lastValues.set(name, value);
    return false;
  }

  #keep(name: string, value: string, pair: string): boolean {
    const entry = tableEntry(name, value);
    // It would empty the table.
    if (entry.size > this.#table.maxSize) return false;
    this.#table.add(entry);
    this.#numbers.set(pair, this.#added);
    this.#added += 1;
    return true;
  }

  /** RFC 7541, 5.1. */
  #number(flags: number, prefixBits: number, value: number): void {
    const max = (1 << prefixBits) - 1;
    if (value < max) {
      this.#bytes[this.#at++] = flags | value;
      return;
    }
    this.#bytes[this.#at++] = flags | max;
    let left = value - max;
    for (; left >= 0x80; left >>>= 7) this.#bytes[this.#at++] = (left & 0x7f) | 0x80;
    this.#bytes[this.#at++] = left;
  }

  #text(text: string): void {
    this.#number(0, 7, text.length);
    this.#at += this.#bytes.write(text, this.#at, 'latin1');
  }

  #ensure(more: number): void {
    if (this.#at + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow((this.#at + more) * 2);
    this.#bytes.copy(larger, 0, 0, this.#at);
    this.#bytes = larger;
  }
}
