import { DEFAULT_TABLE_BYTES } from './header-decoder.js';
import { HeaderTable } from './header-table.js';
import { STATIC_HEADERS, type TableEntry, tableEntry } from './static-headers.js';

/** Never kept in the table, so that they cannot be guessed from the length of blocks (RFC 7541, 7.1). */
const SECRET: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie']);

/** Names that are known at a time. */
const MAX_NAMES = 256;

/** Longer values are not kept: few of them would fill the table. */
const MAX_KEPT_BYTES = 1_024;

/** What is known of the headers of one name. */
interface KnownName {
  /** Of a static header of this name, whatever its value; 0 if there is none. */
  readonly index: number;
  /** The indices of static headers, by their values. */
  readonly staticValues: ReadonlyMap<string, number> | undefined;
  readonly isSecret: boolean;
  /** The values in the table; how many headers had been added to it before. */
  readonly kept: Map<string, number>;
  last: string | undefined;
}

const STATIC_VALUES = new Map<string, Map<string, number>>();
for (const [at, { name, value }] of STATIC_HEADERS.entries()) {
  const values = STATIC_VALUES.get(name) ?? new Map<string, number>();
  STATIC_VALUES.set(name, values.set(value, at + 1));
}

/**
 * Encodes the header blocks of one connection, in their order (RFC 7541). A header is kept in the table when its name
 * comes with the same value twice in a row, so that what differs from call to call takes no room there.
 */
export class HeaderEncoder {
  readonly #names = new Map<string, KnownName>();
  readonly #table = new HeaderTable(DEFAULT_TABLE_BYTES, (oldest) => this.#forget(oldest));
  #evicted = 0;
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
    const known = this.#names.get(name) ?? this.#learn(name);
    const index = known.staticValues?.get(value) ?? this.#indexOf(known, value);
    if (index !== undefined) {
      this.#number(0x80, 7, index);
      return;
    }
    if (isRepeated(known, value) && this.#keep(name, value, known)) {
      this.#number(0x40, 6, known.index);
    } else {
      this.#number(known.isSecret ? 0x10 : 0, 4, known.index);
    }
    if (known.index === 0) this.#text(name);
    this.#text(value);
  }

  #learn(name: string): KnownName {
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    const staticValues = STATIC_VALUES.get(name);
    const [index = 0] = staticValues?.values() ?? [];
    const isSecret = SECRET.has(name);
    const known = { index, staticValues, isSecret, kept: new Map(), last: undefined };
    this.#names.set(name, known);
    return known;
  }

  #indexOf({ kept }: KnownName, value: string): number | undefined {
    if (kept.size === 0) return undefined;
    const number = kept.get(value);
    return number === undefined ? undefined : STATIC_HEADERS.length + this.#added - number;
  }

  #keep(name: string, value: string, { kept }: KnownName): boolean {
    const entry = tableEntry(name, value);
    // It would empty the table.
    if (entry.size > this.#table.maxSize) return false;
    this.#table.add(entry);
    kept.set(value, this.#added);
    this.#added += 1;
    return true;
  }

  /** For the oldest header of the table, which may contain the same header again. */
  #forget({ name, value }: TableEntry): void {
    const kept = this.#names.get(name)?.kept;
    if (kept?.get(value) === this.#evicted) kept.delete(value);
    this.#evicted += 1;
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

function isRepeated(known: KnownName, value: string): boolean {
  if (known.isSecret || value.length > MAX_KEPT_BYTES) return false;
  if (known.last === value) return true;
  known.last = value;
  return false;
}
