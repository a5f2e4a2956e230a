/** What a byte is inside a JSON string: here for itself. */
export const PLAIN = 0;
export const QUOTE = 1;
export const BACKSLASH = 2;
export const CONTROL = 3;
export const BEYOND_ASCII = 4;
/** The bits of kinds that end a run of characters that stand for themselves. */
export const NEEDS_LOOK = 3;

/** By byte: what it is. A look is cheaper than comparisons. */
export const IN_STRING = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x22) return QUOTE;
  if (byte === 0x5c) return BACKSLASH;
  if (byte < 0x20) return CONTROL;
  return byte < 0x80 ? PLAIN : BEYOND_ASCII;
});
