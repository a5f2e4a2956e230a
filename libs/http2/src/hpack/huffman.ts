import { CompressionError } from './compression-error.js';

/**
 * Bits of the code of each byte, and of the end of a text (RFC 7541, appendix B). The codes follow from them: of the
 * same length, they are in the order of the bytes.
 */
// prettier-ignore
export const HUFFMAN_BITS: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
];

const END = 256;
const MAX_BITS = 30;
const MAX_PADDING = 7;

/** Two entries a node, one for each bit: the next node, or the complement of a byte. */
const TREE = buildTree();

function buildTree(): Int16Array {
  const tree = new Int16Array(END * 2);
  let [code, nodes] = [0, 1];
  for (let bits = 1; bits <= MAX_BITS; bits += 1) {
    for (const [symbol, length] of HUFFMAN_BITS.entries()) {
      if (length !== bits) continue;
      let node = 0;
      for (let at = bits - 1; at > 0; at -= 1) {
        const edge = node * 2 + ((code >> at) & 1);
        if (tree[edge] === 0) tree[edge] = nodes++;
        node = tree[edge]!;
      }
      tree[node * 2 + (code & 1)] = ~symbol;
      code += 1;
    }
    code <<= 1;
  }
  return tree;
}

/**
 * The text of a string that is coded so, one character a byte.
 *
 * @throws CompressionError
 */
export function huffmanText(bytes: Uint8Array, from: number, end: number): string {
  const codes: number[] = [];
  let [node, left, isAllOnes] = [0, 0, true];
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at]!;
    for (let bit = 7; bit >= 0; bit -= 1) {
      const value = (byte >> bit) & 1;
      const next = TREE[node * 2 + value]!;
      left += 1;
      isAllOnes = isAllOnes && value === 1;
      if (next >= 0) {
        node = next;
        continue;
      }
      if (~next === END) throw new CompressionError('a text with an end in the midst of it');
      codes.push(~next);
      [node, left, isAllOnes] = [0, 0, true];
    }
  }
  // The rest of the last byte is the start of the end code (RFC 7541, 5.2).
  if (left > MAX_PADDING || !isAllOnes) throw new CompressionError('a text with another padding');
  return textOf(codes);
}

/** As many arguments as a call surely takes. */
const AT_ONCE = 8_192;

function textOf(codes: readonly number[]): string {
  let text = '';
  for (let at = 0; at < codes.length; at += AT_ONCE) {
    text += String.fromCharCode(...codes.slice(at, at + AT_ONCE));
  }
  return text;
}
