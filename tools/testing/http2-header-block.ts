/** Entries of the static table that servers use in answers (RFC 7541, appendix A). */
const STATIC: Readonly<Record<number, readonly [string, string]>> = {
  8: [':status', '200'],
  9: [':status', '204'],
  10: [':status', '206'],
  11: [':status', '304'],
  12: [':status', '400'],
  13: [':status', '404'],
  14: [':status', '500'],
  22: ['allow', ''],
  28: ['content-length', ''],
  31: ['content-type', ''],
  33: ['date', ''],
};

/** Which printable characters have codes of so many bits, in their order (appendix B). */
const CODES: readonly (readonly [bits: number, first: number, characters: string])[] = [
  [5, 0x0, '012aceiost'],
  [6, 0x14, ' %-./3456789=A_bdfghlmnpru'],
  [7, 0x5c, ':BCDEFGHIJKLMNOPQRSTUVWYjkqvwxyz'],
  [8, 0xf8, '&*,;XZ'],
  [10, 0x3f8, '!"()?'],
  [11, 0x7fa, "'+|"],
  [12, 0xffa, '#>'],
  [13, 0x1ff9, '$@[]~'],
  [14, 0x3ffc, '^}'],
  [15, 0x7ffc, '<`{'],
  [19, 0x7fff0, '\\'],
];

const CHARACTERS = new Map(
  CODES.flatMap(([bits, first, characters]) =>
    Array.from(characters, (character, at): [string, string] => [
      `${bits}:${first + at}`,
      character,
    ]),
  ),
);

/** A header block of literals that nobody has to remember; nothing in it is checked. */
export function headerBlock(entries: Iterable<readonly [name: string, value: string]>): Buffer {
  const parts = [...entries].flatMap(([name, value]) => [
    Buffer.from([0x10]),
    literal(name),
    literal(value),
  ]);
  return Buffer.concat(parts);
}

function literal(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1');
  return Buffer.concat([integer(bytes.length, 7), bytes]);
}

/** With a prefix of so many bits, the others of which are 0 (RFC 7541 §5.1). */
function integer(value: number, bits: number): Buffer {
  const most = 2 ** bits - 1;
  if (value < most) return Buffer.from([value]);
  const bytes = [most];
  let rest = value - most;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Buffer.from([...bytes, rest]);
}

/** The entries of a block from a server that was told to keep no table. */
export function readHeaderBlock(block: Buffer): Map<string, string> {
  const reader = new BlockReader(block);
  const entries = new Map<string, string>();
  while (!reader.atEnd) {
    const kind = reader.peek();
    if ((kind & 0x80) !== 0) {
      const [name, value] = STATIC[reader.integer(7)] ?? ['unknown', ''];
      entries.set(name, value);
    } else if ((kind & 0xe0) === 0x20) reader.integer(5);
    else {
      const index = reader.integer((kind & 0x40) === 0 ? 4 : 6);
      const name = index === 0 ? reader.text() : (STATIC[index]?.[0] ?? `static ${index}`);
      entries.set(name, reader.text());
    }
  }
  return entries;
}

class BlockReader {
  #at = 0;

  constructor(private readonly block: Buffer) {}

  get atEnd(): boolean {
    return this.#at >= this.block.length;
  }

  peek(): number {
    return this.block.readUInt8(this.#at);
  }

  integer(bits: number): number {
    const most = 2 ** bits - 1;
    let value = this.#next() & most;
    if (value < most) return value;
    for (let weight = 1; ; weight *= 128) {
      const byte = this.#next();
      value += (byte & 0x7f) * weight;
      if (byte < 128) return value;
    }
  }

  text(): string {
    const isPacked = (this.peek() & 0x80) !== 0;
    const length = this.integer(7);
    const bytes = this.block.subarray(this.#at, this.#at + length);
    this.#at += length;
    return isPacked ? unpacked(bytes) : bytes.toString('latin1');
  }

  #next(): number {
    const byte = this.block.readUInt8(this.#at);
    this.#at += 1;
    return byte;
  }
}

/** Huffman-coded text, as far as its characters are printable. */
function unpacked(bytes: Buffer): string {
  let text = '';
  let code = 0;
  let bits = 0;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      code = code * 2 + ((byte >> bit) & 1);
      bits += 1;
      const character = CHARACTERS.get(`${bits}:${code}`);
      if (character === undefined) continue;
      text += character;
      code = 0;
      bits = 0;
    }
  }
  return text;
}
