const LETTERS: ReadonlyMap<number, number> = new Map(
  ['\bb', '\tt', '\nn', '\ff', '\rr', '""', '\\\\'].map((pair) => [
    pair.charCodeAt(0),
    pair.charCodeAt(1),
  ]),
);
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** In {@link ESCAPES}: a byte whose escape needs more than a letter. */
export const NO_LETTER = 1;

/**
 * The character after the backslash for a byte that must be escaped; 0 for a byte that is written
 * unchanged.
 */
export const ESCAPES = new Uint8Array(256)
  .fill(NO_LETTER, 0, SPACE)
  .map((each, byte) => LETTERS.get(byte) ?? each);

const FOUR_ONES = 0x01010101;
const FOUR_SPACES = FOUR_ONES * SPACE;
const FOUR_QUOTES = FOUR_ONES * QUOTE;
const FOUR_BACKSLASHES = FOUR_ONES * BACKSLASH;
const NEAR = 8;
const HIGH_BITS = FOUR_ONES << 7;

/**
 * The position of the first of some ASCII bytes that must be escaped, or else the end.
 *
 * @param words the same memory, four bytes at a time.
 */
export function plainEnd(bytes: Uint8Array, words: Int32Array, start: number, end: number): number {
  let at = start;
  // In JSON the next one is usually near.
  const near = Math.min((start + NEAR + 3) & ~3, end);
  while (at < near && ESCAPES[bytes[at]!] === 0) at++;
  if (at === near && near < end) {
    const last = end >> 2;
    let word = at >> 2;
    while (word < last && isPlain(words[word]!)) word++;
    at = word << 2;
  }
  while (at < end && ESCAPES[bytes[at]!] === 0) at++;
  return at;
}

/**
 * Whether none of four ASCII bytes must be escaped. Subtracting a greater number from a byte sets its high
 * bit, https://graphics.stanford.edu/~seander/bithacks.html#HasLessInWord.
 */
function isPlain(word: number): boolean {
  const quotes = (word ^ FOUR_QUOTES) - FOUR_ONES;
  const backslashes = (word ^ FOUR_BACKSLASHES) - FOUR_ONES;
  return (((word - FOUR_SPACES) | quotes | backslashes) & HIGH_BITS) === 0;
}
