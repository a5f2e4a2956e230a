import { HUFFMAN_BITS } from '../../libs/http2/src/hpack/huffman.js';
import { STATIC_HEADERS, tableEntry } from '../../libs/http2/src/hpack/static-headers.js';
import type { Random } from '../random.js';

export type Pairs = readonly (readonly [name: string, value: string])[];

/** By name: indices. */
const STATIC = new Map<string, number[]>();
for (const [at, { name }] of STATIC_HEADERS.entries()) {
  STATIC.set(name, [...(STATIC.get(name) ?? []), at + 1]);
}

/** Texts that were coded before: most come again. */
const CODED = new Map<string, Buffer>();
const CODES: readonly string[] = codes();

/** By byte: the code, most significant bit first (RFC 7541, appendix B). */
function codes(): string[] {
  const found: string[] = [];
  let code = 0;
  for (let bits = 1; bits <= 30; bits += 1) {
    for (const [byte, length] of HUFFMAN_BITS.entries()) {
      if (length === bits) found[byte] = (code++).toString(2).padStart(bits, '0');
    }
    code *= 2;
  }
  return found;
}

/** A text in the code of Huffman. */
export function huffman(text: string): Buffer {
  const known = CODED.get(text);
  if (known !== undefined) return known;
  if (CODED.size > 5_000) CODED.clear();
  const bits = Array.from(Buffer.from(text, 'latin1'), (byte) => CODES[byte]!).join('');
  const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, '1');
  const coded = Buffer.from(whole.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? []);
  CODED.set(text, coded);
  return coded;
}

/** Writes each header in one of the ways in which RFC 7541, 6 allows it, as a random choice. */
export class RandomEncoder {
  readonly #random: Random;
  readonly #limit: number;
  /** The newest first, as indices count. */
  #kept: { readonly name: string; readonly value: string }[] = [];
  #size = 0;
  #maxSize: number;

  /** @param limit of the table, as the other end has announced it. */
  constructor(random: Random, limit = 4_096) {
    this.#random = random;
    this.#limit = limit;
    this.#maxSize = limit;
  }

  encode(headers: Pairs): Buffer {
    const resizes = this.#random.below(12) === 0 ? this.#resizes() : [];
    return Buffer.concat([...resizes, ...headers.map(([name, value]) => this.#field(name, value))]);
  }

  #resizes(): Buffer[] {
    const sizes = [this.#random.below(this.#limit + 1), this.#limit];
    return sizes.slice(this.#random.below(2)).map((size) => {
      this.#maxSize = size;
      this.#evict(size);
      return integer(0x20, 5, size);
    });
  }

  #field(name: string, value: string): Buffer {
    const indices = this.#indices(name, value);
    const exact = indices.filter((it) => it.isExact);
    if (exact.length > 0 && this.#random.below(4) > 0) {
      return integer(0x80, 7, this.#random.pick(exact).index);
    }
    const [flags, bits] = this.#random.pick([
      [0x40, 6],
      [0x40, 6],
      [0x10, 4],
      [0, 4],
    ] as const);
    const index =
      indices.length > 0 && this.#random.below(4) > 0 ? this.#random.pick(indices).index : 0;
    const head = integer(flags, bits, index);
    if (flags === 0x40) this.#keep(name, value);
    const texts = index === 0 ? [this.#text(name), this.#text(value)] : [this.#text(value)];
    return Buffer.concat([head, ...texts]);
  }

  #indices(name: string, value: string): { readonly index: number; readonly isExact: boolean }[] {
    const found = (STATIC.get(name) ?? []).map((index) => ({
      index,
      isExact: STATIC_HEADERS[index - 1]!.value === value,
    }));
    for (const [at, entry] of this.#kept.entries()) {
      if (entry.name !== name) continue;
      found.push({ index: STATIC_HEADERS.length + at + 1, isExact: entry.value === value });
    }
    return found;
  }

  #text(text: string): Buffer {
    if (this.#random.below(2) === 0) {
      const bytes = huffman(text);
      return Buffer.concat([integer(0x80, 7, bytes.length), bytes]);
    }
    return Buffer.concat([integer(0, 7, text.length), Buffer.from(text, 'latin1')]);
  }

  #keep(name: string, value: string): void {
    const { size } = tableEntry(name, value);
    this.#evict(this.#maxSize - size);
    if (size > this.#maxSize) return;
    this.#kept.unshift({ name, value });
    this.#size += size;
  }

  #evict(room: number): void {
    while (this.#size > room && this.#kept.length > 0) {
      const { name, value } = this.#kept.pop()!;
      this.#size -= tableEntry(name, value).size;
    }
  }
}

/** RFC 7541, 5.1. */
function integer(flags: number, bits: number, value: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.of(flags | value);
  const bytes = [flags | most];
  let rest = value - most;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
